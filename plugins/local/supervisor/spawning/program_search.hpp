// Which file a replica's program is.
#pragma once

#include <string>

namespace slipway::local {

/// Result of find_program. `error` is 0 when it was found; otherwise `path` is what the error is
/// about.
struct FoundProgram {
  std::string path;  ///< for execve in `cwd`: may be relative to it
  int error = 0;
};

/// Finds `program` as execvpe does, for a process in `cwd` whose PATH is `search_path`: a name with
/// a slash stands for itself, relative to `cwd`; another is looked for in each directory of the
/// path (an empty one is `cwd`), where one that may not be executed counts only if nothing better
/// follows (EACCES). Directories and special files are EACCES. `cwd` itself must be a directory
/// that can be entered.
FoundProgram find_program(const std::string& program, const std::string& cwd,
                          const std::string& search_path);

}  // namespace slipway::local
