// The container of a replica's next attempt, from that of the attempt before.
#pragma once

#include <string>
#include <string_view>

#include "plugins/docker/state/app_progress.hpp"

namespace slipway::docker {

/// Returns the body of the request that creates the container. `inspection` is the engine's answer
/// about the one before. The new container has its configuration and its image, whatever the name
/// of the image means now. Throws Error kTemporary for a text that is no such answer.
std::string next_attempt_body(std::string_view inspection, const Round& round);

}  // namespace slipway::docker
