// Finds the file of a program.
#pragma once

#include <cstdint>
#include <string>

#include "plugins/local/engine/plan.hpp"

namespace slipway::local {

/// The result of a search. Paths are as the replica sees them.
struct FoundProgram {
  /// The path for execve(), which may be relative to the working directory. After an error, the
  /// file or directory that the error concerns.
  std::string path;
  int error = 0;        ///< errno; 0: the program was found
  bool is_cwd = false;  ///< the error concerns the working directory, not the program

  /// Returns what could not be done: `enter DIRECTORY` or `start PROGRAM`.
  std::string attempted() const;
};

/// Returns the PATH of one replica, or execvp()'s default if it has none.
std::string search_path(const LaunchPlan& plan, const LaunchGroup& group, std::int32_t replica);

/// Returns the path on the machine of the file that a replica of the group finds at `path`, which
/// may be relative to its working directory. The replica's mounts do not exist there, so the path
/// of a file inside a mount is that in the mount's source.
std::string machine_path(const LaunchGroup& group, const std::string& path);

/// Finds group.argv[0] as execvpe() does in a replica of the group whose PATH is `search_path`. A
/// name with a slash is a path. Any other name is searched for in each directory of the PATH; an
/// empty entry stands for the working directory. If it is found nowhere, the error is ENOENT, or
/// the last EACCES or shortage that the search met, with the path that it met there. If the working
/// directory cannot be entered, the error concerns it.
FoundProgram find_program(const LaunchGroup& group, const std::string& search_path);

}  // namespace slipway::local
