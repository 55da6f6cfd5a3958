// Converts names to names that engines such as Kubernetes accept.
#pragma once

#include <string>
#include <string_view>

namespace slipway {
inline namespace sdk_1_0 {

namespace detail {

/// Returns `text` in lower case, with only ASCII letters, digits, '-' and the characters that
/// `keep` accepts. Like TorchX, removes one leading '-' but not a second, and converts U+0130 and
/// U+212A, whose lower case begins with an ASCII letter.
template <class Keep>
std::string cleaned_name(std::string_view text, Keep keep) {
  std::string lower;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (text.substr(i, 2) == "\xC4\xB0") {
      lower.push_back('i');
    } else if (text.substr(i, 3) == "\xE2\x84\xAA") {
      lower.push_back('k');
    } else if (c >= 'A' && c <= 'Z') {
      lower.push_back(static_cast<char>(c - 'A' + 'a'));
    } else {
      lower.push_back(c);
    }
  }
  std::string out;
  for (std::size_t i = !lower.empty() && lower.front() == '-' ? 1 : 0; i < lower.size(); ++i) {
    const char c = lower[i];
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || keep(c)) out.push_back(c);
  }
  return out;
}

}  // namespace detail

/// Returns a name for Kubernetes, of lower-case letters, digits and '-', like TorchX's
/// `normalize_str`: "My_App-1" becomes "myapp-1". It may be empty, and may begin or end with '-'.
inline std::string normalize_str(std::string_view text) {
  return detail::cleaned_name(text, [](char) { return false; });
}

/// Does the same as normalize_str() but keeps '_', like TorchX's `cleanup_str`.
inline std::string cleanup_str(std::string_view text) {
  return detail::cleaned_name(text, [](char c) { return c == '_'; });
}

}  // namespace sdk_1_0
}  // namespace slipway
