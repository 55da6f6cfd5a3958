// From the chunks of a scheduler to bytes for a terminal or a pipe: lines, filtered, the last ones only, printed.
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
  std::string regex;  ///< empty: every line
  std::optional<std::size_t>
      tail;  ///< of what is there at the start, only so many last lines of each replica
};

/// Not for several threads at once.
class LogOutput {
 public:
  using Write = OutputBuffer::Write;

  /// `write` is called with one or more whole lines at a time, or with pieces of a very long one. Throws Error kUsage
  /// for a bad regex.
  LogOutput(LogOutputOptions options, Write write);

  void chunk(const LogChunk& chunk);

  /// What was there at the start has been read: prints the tails that were held back, in the order of the replicas;
  /// later lines are printed as they come. Without `tail`, and when called again, does nothing.
  void end_of_backlog();

  /// Whether a line was printed whose time is not known, although times were asked for.
  bool missed_times() const { return missed_times_; }

  /// Writes everything that is held back; call when there is nothing more at hand.
  void flush();

 private:
  struct Held {
    std::optional<std::int64_t> time;
    Stream stream;
    std::string text;
  };
  bool take(std::string_view& rest, std::string_view& text);
  void line(const LogLine& line);
  void print(const LogLine& line);

  LogOutputOptions options_;
  std::optional<LineFilter> filter_;
  bool backlog_;
  std::map<std::pair<std::string, std::int32_t>, std::deque<Held>> tails_;  // by role and replica
  OutputBuffer buffer_;
  std::string printed_;  // one line
  bool missed_times_ = false;
};

}  // namespace slipway::logs
