// A regular expression that looks for one line in what a replica writes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace slipway::local {

/// The syntax, and what counts as a match, are those of `slipway log --regex`: PCRE2, searched for
/// anywhere in the line, whose newline is given, too. (Its code is core's, which plug-ins do not
/// see, and has no need of these limits.) Not for several threads at once.
class LinePattern {
 public:
  /// Throws Error kInvalid with the place of the mistake when `pattern` is no regular expression.
  explicit LinePattern(const std::string& pattern);
  ~LinePattern();
  LinePattern(const LinePattern&) = delete;
  LinePattern& operator=(const LinePattern&) = delete;

  /// A line on which the pattern needs more than some milliseconds does not match.
  bool matches(std::string_view line);

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace slipway::local
