// A regular expression that selects lines of a log: TorchX's `--regex`, with PCRE2 instead of
// Python.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace slipway {

/// Matches like Python's `re.search` on the line with its newline, as TorchX does: `$` matches
/// before the newline, and a class such as `[^x]` or `\s` may match it. Bytes that are not UTF-8
/// never match. Not thread-safe.
class LinePattern {
 public:
  /// The bounds of the search in one line.
  enum class Effort {
    kThorough,  ///< enough for any reasonable pattern on a long line: less than a second
    kQuick      ///< some milliseconds and 4 MiB, for the supervisor, which has other things to do
  };
  enum class Result {
    kNo,
    kYes,
    kTooExpensive  ///< the search exceeded a bound or the memory
  };

  /// Throws Error(kInvalid) with the place of the mistake if `pattern` is not a regular expression.
  LinePattern(const std::string& pattern, Effort effort);
  ~LinePattern();
  LinePattern(const LinePattern&) = delete;
  LinePattern& operator=(const LinePattern&) = delete;

  /// Searches `line`, which includes its newline.
  Result search(std::string_view line);

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace slipway
