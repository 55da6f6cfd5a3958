// Splits text into lines, and removes blanks at its ends.
#pragma once

#include <string_view>
#include <vector>

namespace slipway {
inline namespace sdk_1_0 {

/// Returns the lines of `text` as views of it, each with its '\n', which the last one may lack.
/// '\r' does not end a line, because progress bars contain it.
inline std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
    out.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return out;
}

/// Returns `text` without the characters of `blanks` at both ends, as a view of it.
inline std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\n\v\f\r") {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace sdk_1_0
}  // namespace slipway
