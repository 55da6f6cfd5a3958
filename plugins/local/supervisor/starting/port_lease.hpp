// The app's leases on the ports that were picked for it.
#pragma once

#include <vector>

#include "plugins/local/engine/plan.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Takes the leases on the plan's ports again, after the deaths of supervisor and warden. A block
/// of ports that another app has leased meanwhile, or for which no descriptor is left, is missing;
/// the app keeps the numbers that its replicas know. Empty when no port was picked.
std::vector<OwnedFd> regain_port_leases(const LaunchPlan& plan);

}  // namespace slipway::local
