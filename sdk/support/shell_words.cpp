#include "sdk/support/shell_words.hpp"

#include <algorithm>
#include <array>

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

bool is_shell(std::string_view program) {
  constexpr std::array<std::string_view, 7> kShells = {"sh",  "bash", "dash", "ash",
                                                       "ksh", "zsh",  "fish"};
  program.remove_prefix(program.rfind('/') + 1);  // npos + 1 is 0
  return std::find(kShells.begin(), kShells.end(), program) != kShells.end();
}

}  // namespace slipway
