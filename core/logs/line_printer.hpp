// How log lines look: prefixes, times, colours, or JSON.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/logs/log_line.hpp"

namespace slipway::logs {

struct LineStyle {
  bool prefix = false;      ///< `role/k ` in front of each line, and after each '\r' as TorchX does
  bool timestamps = false;  ///< an RFC 3339 time in front of the prefix, where the time is known
  bool color = false;       ///< the prefix in a colour that is the replica's own
  bool json = false;        ///< one JSON object a line; the others do not count then
};

/// Appends `line` to `out` in the given style. Bytes stay as they are, but for JSON, where bytes that are not UTF-8 become
/// U+FFFD and the newline is left out. A line without a final newline gets none.
void print_line(const LogLine& line, const LineStyle& style, std::string& out);

/// What print_line() puts in front of `line`; empty for JSON.
std::string prefix_of(const LogLine& line, const LineStyle& style);

/// Appends `text` with the prefix in front, unless it starts with `\r`, after each `\r` and after each `\n` but one at the
/// end (TorchX's log prefix rule).
void append_prefixed(std::string_view prefix, std::string_view text, std::string& out);

}  // namespace slipway::logs
