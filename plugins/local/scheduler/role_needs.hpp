// From a role to what its replicas need of this machine.
#pragma once

#include <string>

#include "plugins/local/engine/replica_needs.hpp"
#include "plugins/local/scheduler/local_options.hpp"
#include "slipway/app.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::local {

/// Sources of mounts are taken relative to `base_dir`. What is not acted on is told through
/// `on_finding`. Throws kInvalid for mounts whose ends are not there: nothing is made on this
/// machine for them.
ReplicaNeeds role_needs(const Role& role, const LocalOptions& options, const std::string& base_dir,
                        const Scheduler::OnFinding& on_finding);

}  // namespace slipway::local
