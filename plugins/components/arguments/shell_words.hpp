// Words as a POSIX shell reads them back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipway::builtins {

/// `word` in single quotes where the shell would otherwise take it apart, as Python's `shlex.quote`: ASCII letters,
/// digits and `@%_-+=:,./` need none, the empty word does.
std::string shell_quoted(std::string_view word);

/// The quoted words with blanks between them.
std::string shell_joined(const std::vector<std::string>& words);

}  // namespace slipway::builtins
