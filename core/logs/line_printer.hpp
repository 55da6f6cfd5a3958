// Prints log lines with prefixes, times and colours, or as JSON.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/logs/log_line.hpp"

namespace slipway::logs {

/// The names of an app.
struct LogApp {
  std::string id;
  std::string handle;
};

struct LineStyle {
  /// The apps of the lines. The prefix names the app if there are several, JSON also if there is
  /// one. May be empty for lines of one app, which is then not named.
  std::vector<LogApp> apps = {};
  /// `role/k ` (k: the replica's number), or `app ` for output of the app itself, before each line,
  /// and after each '\r' as in TorchX. With several apps `app_id/role/k `, or `app_id `.
  bool prefix = false;
  bool timestamps = false;  ///< a local_time_text() before the prefix, if the time is known
  bool color = false;       ///< the prefix in a colour of the replica
  bool json = false;        ///< one JSON object per line; of the other members only `apps` counts
};

/// Appends `line` to `out` in the given style. Bytes stay unchanged, and a missing final newline is
/// not added. In JSON, bytes that are not UTF-8 become U+FFFD, the text has no final newline, and a
/// newline follows the object.
void print_line(const LogLine& line, const LineStyle& style, std::string& out);

/// Returns the text that print_line() puts before `line`; empty for JSON.
std::string prefix_of(const LogLine& line, const LineStyle& style);

/// Appends `text` with the prefix at the start (unless it starts with `\r`), after each `\r`, and
/// after each `\n` except a final one. This is TorchX's log prefix rule.
void append_prefixed(std::string_view prefix, std::string_view text, std::string& out);

}  // namespace slipway::logs
