// The container of a replica's next attempt, made from that of the previous attempt.
#pragma once

#include <string>
#include <string_view>

#include "plugins/docker/state/app_progress.hpp"

namespace slipway::docker {

/// Returns the body of the request that creates the container. `inspection` is the engine's answer
/// about the container of the previous attempt. The new container has the same configuration,
/// except that its labels have `round` and the number of the new attempt; SLIPWAY_ATTEMPT also has
/// this number, unless the role sets it to another value. The new container has the same image even
/// if the image's name means another one now. Throws Error kTemporary for a text that is not such
/// an answer: the engine may answer well next time.
std::string next_attempt_body(std::string_view inspection, const Round& round);

}  // namespace slipway::docker
