// Prints the log chunks of a scheduler to a terminal or pipe: filters their lines, keeps the last
// ones, and formats them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/logs/backlog.hpp"
#include "core/logs/line_filter.hpp"
#include "core/logs/line_printer.hpp"
#include "core/logs/output_buffer.hpp"
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
  /// The longest backlog that is put in order, in bytes.
  std::size_t most_merged = std::size_t{1} << 30U;
};

/// Not thread safe.
class LogOutput {
 public:
  using Write = OutputBuffer::Write;

  /// `write` gets one or more whole lines at a time, or parts of a very long line. Throws
  /// Error(kUsage) for a bad regex.
  LogOutput(LogOutputOptions options, Write write);

  /// Prints the lines of a chunk that match. With `tail` or `merge`, holds them until
  /// end_of_backlog(). Throws Error(kUnavailable) if Merge::kYes would hold too many.
  void chunk(const LogChunk& chunk);

  /// Ends the backlog, the lines that existed at the start: prints those that it holds, in the
  /// order of the replicas or of their times. Prints later lines as they arrive. Does nothing
  /// if it holds no backlog or if called again.
  void end_of_backlog();

  /// Returns whether a line without a known time was printed although the style has timestamps.
  bool missed_times() const { return missed_times_; }

  /// Returns whether the backlog should be merged, but no line of it has a time.
  bool could_not_merge() const { return could_not_merge_; }

  /// Writes all buffered lines. Call it when no further chunk is available at once.
  void flush();

 private:
  bool next_line(std::string_view& rest, std::string_view& text);
  void print_or_hold(const LogLine& line);
  void print(const LogLine& line);
  void end_line_of_another(const LogLine& line);

  LogOutputOptions options_;
  std::optional<LineFilter> filter_;
  std::optional<Backlog> backlog_;
  OutputBuffer buffer_;
  std::string printed_;    // the current line, reused to avoid allocations
  std::string last_role_;  // the replica whose text was printed last
  std::int32_t last_replica_ = 0;
  bool is_inside_line_ = false;  // that text did not end with a newline
  bool missed_times_ = false;
  bool could_not_merge_ = false;
};

}  // namespace slipway::logs
