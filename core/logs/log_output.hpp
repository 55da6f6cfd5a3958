// Prints the log chunks of a scheduler to a terminal or pipe: filters their lines, keeps the last
// ones, and formats them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/logs/line_filter.hpp"
#include "core/logs/line_printer.hpp"
#include "core/logs/output_buffer.hpp"
#include "slipway/logs.hpp"

namespace slipway::logs {

struct LogOutputOptions {
  LineStyle style;
  std::string regex;  ///< selects lines; empty selects all
  /// If set, prints only this many last lines of each replica's backlog.
  std::optional<std::size_t> tail;
};

/// Not thread safe.
class LogOutput {
 public:
  using Write = OutputBuffer::Write;

  /// `write` gets one or more whole lines at a time, or parts of a very long line. Throws
  /// Error(kUsage) for a bad regex.
  LogOutput(LogOutputOptions options, Write write);

  /// Prints the lines of a chunk that match. With `tail`, keeps the last ones until
  /// end_of_backlog().
  void chunk(const LogChunk& chunk);

  /// Ends the backlog, the lines that existed at the start: prints the tails in the order of the
  /// replicas. Prints later lines as they arrive. Does nothing without `tail` or if called again.
  void end_of_backlog();

  /// Returns whether a line without a known time was printed although the style has timestamps.
  bool missed_times() const { return missed_times_; }

  /// Writes all buffered lines. Call it when no further chunk is available at once.
  void flush();

 private:
  struct Held {
    std::optional<std::int64_t> time;
    Stream stream;
    std::string text;
  };
  bool next_line(std::string_view& rest, std::string_view& text);
  void print_or_hold(const LogLine& line);
  void print(const LogLine& line);

  LogOutputOptions options_;
  std::optional<LineFilter> filter_;
  bool backlog_;
  std::map<std::pair<std::string, std::int32_t>, std::deque<Held>> tails_;  // by role and replica
  OutputBuffer buffer_;
  std::string printed_;  // the current line, reused to avoid allocations
  bool missed_times_ = false;
};

}  // namespace slipway::logs
