// The part of a bash command line that stands before the cursor, as words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::cli {

/// A line that is being typed. Expansions are not made: `$HOME` is the word that is written.
struct BashLine {
  std::vector<std::string>
      words;             ///< behind the command's name and before the current one; without quotes
  std::string current;   ///< the word at the cursor, without quotes; may be empty
  std::size_t kept = 0;  ///< so many bytes of `current` stand before what readline replaces
  char quote = '\0';     ///< the quote that is open at the cursor, `'` or `"`
};

/// Splits `line`, which ends at the cursor and starts with the command's name. `breaks` is
/// COMP_WORDBREAKS: behind one of these, unless it is quoted, readline begins a word of its own.
BashLine parse_bash_line(std::string_view line, std::string_view breaks);

/// What goes into COMPREPLY so that the current word becomes `word`, which starts with it: quoted
/// as the shell needs it, without what readline keeps.
std::string bash_reply(const BashLine& line, std::string_view word);

}  // namespace slipway::cli
