// The command that gives this process a permission that it lacks.
#pragma once

#include <string>

namespace slipway {

/// Returns the outermost directory above `path` that this process cannot enter; empty if there is
/// none.
std::string closed_directory(const std::string& path);

/// Returns the chmod command that lets this process use `path`: for the outermost directory above
/// it that the process cannot enter, or else for `path` itself. `needed` is what it needs of
/// `path`: "r" for a file, "rx" for a directory. The owner or root must run the command.
std::string permission_hint(const std::string& path, const char* needed);

}  // namespace slipway
