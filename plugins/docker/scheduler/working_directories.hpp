// The working directories of containers: `cwd` of the app file.
#pragma once

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/request/container_plan.hpp"
#include "slipway/host.hpp"

namespace slipway::docker {

/// Returns the plan with absolute working directories. A relative one is below the working
/// directory of the container's image, which the engine must have. Asks the engine once for each
/// image of such a container. Throws the engine's error.
AppPlan with_working_directories(const Engine& engine, const AppPlan& plan, const Call& call);

}  // namespace slipway::docker
