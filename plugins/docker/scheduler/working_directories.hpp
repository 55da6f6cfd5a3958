// The working directories of containers: `cwd` of the app file.
#pragma once

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/request/container_plan.hpp"
#include "slipway/host.hpp"

namespace slipway::docker {

/// Returns the plan with absolute directories: a relative one starts at the directory of its image,
/// which the engine must have. Asks the engine once for each image with such a container. Throws
/// the engine's error.
AppPlan with_working_directories(const Engine& engine, const AppPlan& plan, const Call& call);

}  // namespace slipway::docker
