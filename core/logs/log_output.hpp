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

/// Whether to print the lines of all replicas in the backlog in the order of their times.
enum class Merge {
  kNo,
  kIfItFits,  ///< until the backlog exceeds `most_merged`; prints later lines as they arrive
  kYes,
};

struct LogOutputOptions {
  LineStyle style;
  std::string regex;  ///< selects lines; empty selects all
  /// If set, prints only the last lines of each replica's backlog, at most this number.
  std::optional<std::size_t> tail;
  Merge merge = Merge::kNo;
  /// Whether the logs grow while they are printed, so that chunks may end inside a line.
  bool follow = false;
  /// The largest backlog that is merged, in bytes.
  std::size_t most_merged = std::size_t{1} << 30U;
};

/// Filters and prints the lines of log chunks.
///
/// A line is *unfinished* from its first bytes to its newline. Carriage returns, as in progress
/// bars, divide a line into *states*. With `follow`, on a terminal, shows only the newest states of
/// unfinished lines, below all other lines. Elsewhere, prints each state of a progress bar as it
/// arrives (unless JSON or a regex needs the whole line), and any other line when it ends, so that
/// the line stays whole. Prints a line of 64 KiB (kLongLine of sdk/support/line_cut.hpp) or more in
/// parts. A regex then selects it from the first part that matches. Without `follow`, also prints
/// an unfinished line before text of another stream.
///
/// The functions pass on what `write`, `show` and LineFilter::matches() throw. Not thread safe.
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
  /// With `tail` or `merge`, holds them until end_of_backlog(). Throws Error(kUnavailable) if they
  /// exceed `most_merged` with Merge::kYes.
  void chunk(const LogChunk& chunk, std::uint32_t app = 0);

  /// Ends the backlog, that is, the lines that existed at the start: prints the held lines in the
  /// order of the replicas or of their times. Later lines are printed as they arrive. Does nothing
  /// without `tail` and `merge`, or if called again.
  void end_of_backlog();

  /// Returns whether a line without a known time was printed although the style has timestamps.
  bool missed_times() const { return missed_times_; }

  /// Returns whether the backlog should have been merged, but none of its lines has a time.
  bool could_not_merge() const { return could_not_merge_; }

  /// Writes all buffered lines. Call it when no further chunk is available at once. Returns true if
  /// it did not show the newest states of unfinished lines, because less than kShowPause has passed
  /// since it last showed them. Call it again after kShowPause at the latest.
  bool flush();

  /// Prints all held and unfinished lines. Call it after the last chunk.
  void finish();

  /// The shortest pause between two updates of the shown lines, so 20 a second at most, unless one
  /// of them has ended.
  static constexpr std::chrono::milliseconds kShowPause{50};

 private:
  void pass(LogLine lines);
  void add(LogLine one);
  void add_to_line(LogLine line, UnfinishedLine& begun);
  void drop_old_states(UnfinishedLine& begun);
  void end_line(LogLine line, const UnfinishedLine& begun);
  void end_lines_of_others(const LogLine& line);
  void print_part(LogLine line, UnfinishedLine& begun);
  void print_rest(LogLine line, bool is_selected);
  void print_last(const LogLine& line, bool is_selected);
  bool matches(std::string_view line);
  std::vector<std::string> shown_lines();
  bool next_line(std::string_view& rest, std::string_view& text);
  void print_or_hold(const LogLine& line);
  void limit_backlog();
  void print(const LogLine& line);
  void end_line_of_another(const LogLine& line);
  bool is_of_last_stream(const LogLine& line) const;

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
  std::uint64_t changes_ = 0;          // number of changes of unfinished lines
  bool shown_lines_changed_ = false;   // since the last call of show_
  bool has_ended_shown_line_ = false;  // a shown line was printed and must no longer be shown
  std::chrono::steady_clock::time_point shown_at_{};
};

}  // namespace slipway::logs
