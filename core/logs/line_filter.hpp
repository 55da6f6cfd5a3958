// Selects lines with a regular expression: TorchX's `--regex`, with PCRE2 instead of Python.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/logs/required_text.hpp"

namespace slipway::logs {

/// Matches like Python's `re.search` on the line with its newline, as TorchX does: `$` matches
/// before the newline, and a class such as `[^x]` or `\s` may match it. Not thread safe.
class LineFilter {
 public:
  /// Throws Error(kUsage) with the place of the mistake if `pattern` is not a regular expression.
  explicit LineFilter(const std::string& pattern);
  ~LineFilter();
  LineFilter(const LineFilter&) = delete;
  LineFilter& operator=(const LineFilter&) = delete;

  /// Returns whether the line matches. Throws Error(kInvalid) if matching this line exceeds the
  /// step limit.
  bool matches(std::string_view line);

  /// Removes lines from the front of `rest` up to and including the first that matches, and stores
  /// that one in `line`. Returns false, with `rest` empty, if no line matches. Skips most other
  /// lines faster than matches(). Throws like it.
  bool take_match(std::string_view& rest, std::string_view& line);

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
  TextSearch required_;  // the text that every matching line contains
};

}  // namespace slipway::logs
