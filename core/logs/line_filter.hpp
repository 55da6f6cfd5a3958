// Which lines are wanted: a regular expression over each line (TorchX's `--regex`, with PCRE2 in Python's place).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/logs/required_text.hpp"

namespace slipway::logs {

/// Matches like Python's `re.search` on the line with its newline, as TorchX does: `$` matches in front of it, and a class
/// such as `[^x]` or `\s` may match it. Not for several threads at once.
class LineFilter {
 public:
  /// Throws Error kUsage with the place of the mistake when `pattern` is not a regular expression.
  explicit LineFilter(const std::string& pattern);
  ~LineFilter();
  LineFilter(const LineFilter&) = delete;
  LineFilter& operator=(const LineFilter&) = delete;

  /// Throws Error kInvalid when the pattern needs more steps than are allowed on this line.
  bool matches(std::string_view line);

  /// Takes from the front of `rest` all up to and with the first line that matches, and stores that in `line`. False: none
  /// does, and `rest` is empty. Most lines that do not match cost less than matches(). Throws like it.
  bool take_match(std::string_view& rest, std::string_view& line);

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
  TextSearch required_;  // what each line that matches holds
};

}  // namespace slipway::logs
