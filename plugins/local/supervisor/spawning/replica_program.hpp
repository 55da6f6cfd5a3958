// Which file a replica's program is, with its own PATH and its own mounts.
#pragma once

#include <cstdint>
#include <string>

#include "plugins/local/engine/plan.hpp"
#include "plugins/local/supervisor/spawning/program_search.hpp"

namespace slipway::local {

/// PATH of one replica, or what execvp takes for one that has none.
std::string replica_path(const LaunchPlan& plan, const LaunchGroup& group, std::int32_t replica);

/// group.argv[0] as a replica of the group will see it, whose PATH is `path`. Its mounts are not
/// there yet, so what lies in one is looked up where it comes from; in PATH that is not done.
FoundProgram find_inside(const LaunchGroup& group, const std::string& path);

}  // namespace slipway::local
