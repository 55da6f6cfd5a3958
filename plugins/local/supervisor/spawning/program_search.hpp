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

/// Finds group.argv[0] as a replica of the group with this PATH will see it. Its mounts do not
/// exist yet, so a program or working directory inside a mount is looked up at its source. A
/// name without a slash is searched for in the machine's directories, as if no mount covered them.
FoundProgram find_program(const LaunchGroup& group, const std::string& search_path);

}  // namespace slipway::local
