// The app's lease on the ports that were picked for it.
#pragma once

#include "plugins/local/engine/plan.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// After the death of supervisor and warden: leases the plan's ports anew for their successor. What
/// another app leased meanwhile stays with that one; then, or when the lock file cannot be used,
/// the lease has gaps, and the app keeps the numbers it was told. Empty when no port was picked.
OwnedFd regain_port_lease(const LaunchPlan& plan);

}  // namespace slipway::local
