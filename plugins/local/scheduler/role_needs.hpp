// The needs of a role's replicas on this machine: limits, mounts, GPUs and devices.
#pragma once

#include <string>

#include "plugins/local/engine/replica_needs.hpp"
#include "plugins/local/scheduler/local_options.hpp"
#include "slipway/app.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::local {

/// Returns the needs that the supervisor provides for; `after` and `ready` stay empty. Sources of
/// mounts are relative to `base_dir`. Reports ignored fields to `on_finding`. Throws kInvalid for
/// a mount whose destination is not absolute, whose source or destination does not exist (Slipway
/// creates neither), or that mounts a file at a directory or the reverse; and for memory that is
/// out of range.
ReplicaNeeds role_needs(const Role& role, const LocalOptions& options, const std::string& base_dir,
                        const Scheduler::OnFinding& on_finding);

/// Reports to `on_finding` how this machine treats the devices of the role's resource: replicas see
/// the device files as every process does, and none is reserved. Names the files that the device
/// tables of the site and the built-in ones list, and the devices that are missing or in no table.
/// Throws what the host reports about a damaged device table.
void report_devices(const Role& role, const Host& host, const Call& call,
                    const Scheduler::OnFinding& on_finding);

}  // namespace slipway::local
