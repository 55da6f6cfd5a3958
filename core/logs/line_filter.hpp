// Selects the lines of chunks of a log with a regular expression.
#pragma once

#include <string>
#include <string_view>

#include "core/logs/required_text.hpp"
#include "sdk/support/line_pattern.hpp"

namespace slipway::logs {

/// Not thread safe.
class LineFilter {
 public:
  /// Throws Error(kUsage) with the place of the mistake if `pattern` is not a regular expression.
  explicit LineFilter(const std::string& pattern);

  /// Returns whether the line matches. Throws Error(kInvalid) if the search in this line is too
  /// expensive (LinePattern::Result::kTooExpensive).
  bool matches(std::string_view line);

  /// Removes lines from the front of `rest` up to and including the first that matches, and stores
  /// that one in `line`, with its line end. A last line without a line end counts. Returns false,
  /// with `rest` empty, if no line matches. Skips most other lines faster than matches(). Throws
  /// what matches() throws.
  bool take_match(std::string_view& rest, std::string_view& line);

 private:
  LinePattern pattern_;
  TextSearch required_;  // the text that every matching line contains
};

}  // namespace slipway::logs
