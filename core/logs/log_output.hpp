// Prints the log chunks of a scheduler to a terminal or pipe: filters their lines, keeps the last
// ones, and formats them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/logs/backlog.hpp"
#include "core/logs/line_filter.hpp"
#include "core/logs/line_printer.hpp"
#include "core/logs/output_buffer.hpp"
#include "core/logs/unfinished_lines.hpp"
#include "slipway/logs.hpp"

namespace slipway::logs {

/// Whether the lines of all replicas in the backlog are put in the order of their times.
enum class Merge {
  kNo,
  kIfItFits,  ///< as many lines as the memory limit allows; the others are printed as they arrive
  kYes,
};

struct LogOutputOptions {
  LineStyle style;
  std::string regex;  ///< selects lines; empty selects all
  /// If set, prints only this many last lines of each replica's backlog.
  std::optional<std::size_t> tail;
  Merge merge = Merge::kNo;
  /// The logs go on while they are printed, and chunks may end inside a line.
  bool follow = false;
  /// The longest backlog that is put in order, in bytes.
  std::size_t most_merged = std::size_t{1} << 30U;
};

/// Lines that replicas have begun and not ended, with `follow`: on a terminal only their newest
/// states are shown, below all other lines. Elsewhere the states of a progress bar are printed as
/// they come, and any other line is printed when it ends, so that it stays whole.
///
/// Not thread safe.
class LogOutput {
 public:
  using Write = OutputBuffer::Write;
  /// Shows lines, without newlines, in place of those of the last call.
  using Show = std::function<void(const std::vector<std::string>&)>;

  /// `write` gets one or more whole lines at a time, or parts of a line that is very long or a
  /// progress bar. `show` is for a terminal, null for other output. Throws Error(kUsage) for a bad
  /// regex.
  LogOutput(LogOutputOptions options, Write write, Show show = nullptr);

  /// Prints the lines of a chunk that match. `app` is the number of its app in LineStyle::apps.
  /// With `tail` or `merge`, holds them until end_of_backlog(). Throws Error(kUnavailable) if
  /// Merge::kYes would hold too many.
  void chunk(const LogChunk& chunk, std::uint32_t app = 0);

  /// Ends the backlog, the lines that existed at the start: prints those that it holds, in the
  /// order of the replicas or of their times. Prints later lines as they arrive. Does nothing
  /// if it holds no backlog or if called again.
  void end_of_backlog();

  /// Returns whether a line without a known time was printed although the style has timestamps.
  bool missed_times() const { return missed_times_; }

  /// Returns whether the backlog should be merged, but no line of it has a time.
  bool could_not_merge() const { return could_not_merge_; }

  /// Writes all buffered lines. Call it when no further chunk is available at once. Returns true if
  /// it left out a change of the shown lines because they changed just before: call it again after
  /// kShowPause at the latest.
  bool flush();

  /// Prints everything that it holds, also unfinished lines, after the last chunk.
  void finish();

  static constexpr std::chrono::milliseconds kShowPause{50};

 private:
  void pass(LogLine lines);
  void add(LogLine one);
  void add_to_line(LogLine line, UnfinishedLine& begun);
  void end_line(LogLine line, const UnfinishedLine& begun);
  void print_part(LogLine line, UnfinishedLine& begun);
  void print_rest(LogLine line, bool is_begun);
  bool matches(std::string_view line);
  std::vector<std::string> shown_lines();
  bool next_line(std::string_view& rest, std::string_view& text);
  void print_or_hold(const LogLine& line);
  void print(const LogLine& line);
  void end_line_of_another(const LogLine& line);
  bool is_last(const LogLine& line) const;

  LogOutputOptions options_;
  std::optional<LineFilter> filter_;
  std::optional<Backlog> backlog_;
  OutputBuffer buffer_;
  std::string printed_;         // the current line, reused to avoid allocations
  std::uint32_t last_app_ = 0;  // the stream whose text was printed last
  std::string last_role_;
  std::int32_t last_replica_ = 0;
  Stream last_stream_ = Stream::kCombined;
  bool is_inside_line_ = false;  // that text did not end with a newline
  bool missed_times_ = false;
  bool could_not_merge_ = false;

  Show show_;
  UnfinishedLines unfinished_;
  std::uint64_t changes_ = 0;          // of unfinished lines
  bool is_shown_old_ = false;          // the shown lines have changed
  bool has_ended_shown_line_ = false;  // one of them is printed now, and must not be shown as well
  std::chrono::steady_clock::time_point shown_at_{};
};

}  // namespace slipway::logs
