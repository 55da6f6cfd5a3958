// Finds the file of a program.
#pragma once

#include <cstdint>
#include <string>

#include "plugins/local/engine/plan.hpp"

namespace slipway::local {

/// The result of a search. `error` is 0 if the program was found; otherwise `path` is what the
/// error is about.
struct FoundProgram {
  std::string path;  ///< for execve(); may be relative to `cwd`
  int error = 0;
};

/// Returns the PATH of one replica, or execvp()'s default if it has none.
std::string replica_path(const LaunchPlan& plan, const LaunchGroup& group, std::int32_t replica);

/// Finds group.argv[0] as a replica of the group with the PATH `path` will see it. Its mounts do
/// not exist yet, so a program or working directory inside one is looked up at the mount's source.
/// The directories of PATH are not.
FoundProgram find_inside(const LaunchGroup& group, const std::string& path);

}  // namespace slipway::local
