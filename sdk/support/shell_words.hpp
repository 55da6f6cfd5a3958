// Words for shells: quotes for POSIX shells, and the names of shells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipway {

/// Returns `word` in single quotes if the shell would otherwise interpret it, like Python's
/// `shlex.quote`. ASCII letters, digits and `@%_-+=:,./` need no quotes; the empty word does.
std::string shell_quoted(std::string_view word);

/// Returns the quoted words, separated by blanks.
std::string shell_joined(const std::vector<std::string>& words);

/// Returns whether the last part of the path `program` is the name of a shell.
bool is_shell(std::string_view program);

}  // namespace slipway
