// Commands that mend the permissions of a file, for hints.
#pragma once

#include <string>

namespace slipway {

/// Returns the outermost directory above `path` that this process cannot enter; empty if there is
/// none.
std::string closed_directory(const std::string& path);

/// Returns the command that makes the change, such as "o-w", to the mode of `path`.
std::string chmod_command(const std::string& change, const std::string& path);

/// Returns the chmod command, for the owner or root, against the first obstacle to the use of
/// `path` by this process: the outermost directory above `path` that it cannot enter, or else
/// `path` itself. `needed` is the permission that it needs for `path`: "r" for a file, "rx" for a
/// directory.
std::string permission_hint(const std::string& path, const char* needed);

}  // namespace slipway
