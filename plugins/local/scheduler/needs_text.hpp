// What a replica needs of this machine, for a person who looks at a request.
#pragma once

#include <string>

#include "plugins/local/engine/plan.hpp"

namespace slipway::local {

/// A line for each need of the group's replicas, ended by a newline; empty when they need nothing.
/// [any thread]
std::string needs_text(const LaunchGroup& group);

}  // namespace slipway::local
