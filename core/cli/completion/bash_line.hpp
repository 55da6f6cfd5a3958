// Splits a bash command line into words, up to the cursor.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::cli {

/// A line that a user is typing, without expansions: `$HOME` stays `$HOME`.
struct BashLine {
  /// The words after the command's name and before the cursor, without quotes.
  std::vector<std::string> words;
  std::string current;   ///< the word at the cursor, without quotes; may be empty
  std::size_t kept = 0;  ///< length of the start of `current` that readline keeps
  char quote = '\0';     ///< the quote that is open at the cursor, `'` or `"`; otherwise 0
};

/// Splits `line`, which starts with the command's name and ends at the cursor. `breaks` is
/// COMP_WORDBREAKS: readline begins a new word after each of these characters that is not quoted,
/// but before `@` and `$`.
BashLine parse_bash_line(std::string_view line, std::string_view breaks);

/// Returns the text for COMPREPLY that turns the current word into `word`, which starts with the
/// current word. The text is quoted for the shell and lacks the part that readline keeps.
std::string bash_reply(const BashLine& line, std::string_view word);

}  // namespace slipway::cli
