// What a line must hold to match a pattern, so that most lines need no matching.
#pragma once

#include <string>
#include <string_view>

namespace slipway::logs {

/// A text with which every match of `pattern` (PCRE2 syntax) begins, as far as it is plain to see: the letters, digits and
/// spaces in front of its first special character. Empty when there is none, or when alternatives, groups with options
/// or verbs could make another beginning possible.
std::string required_text(std::string_view pattern);

/// Finds lines that hold a text.
class TextSearch {
 public:
  explicit TextSearch(std::string text);

  /// The first place of the text in `bytes`, npos when there is none.
  std::size_t find(std::string_view bytes) const;
  bool empty() const { return text_.empty(); }

 private:
  std::string text_;
  std::size_t rare_ = 0;  // the character of the text that lines have least often
};

}  // namespace slipway::logs
