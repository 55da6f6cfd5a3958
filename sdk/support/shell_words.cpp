#include "sdk/support/shell_words.hpp"

#include "sdk/support/joined.hpp"

namespace slipway {

std::string shell_quoted(std::string_view word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@%_-+=:,./";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos)
    return std::string(word);
  std::string out = "'";
  for (const char c : word) {
    // Single quotes cannot contain a single quote: close them, add one in double quotes, and
    // reopen.
    if (c == '\'') {
      out += "'\"'\"'";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string shell_joined(const std::vector<std::string>& words) {
  return joined(words, " ", shell_quoted);
}

}  // namespace slipway
