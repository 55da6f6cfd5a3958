// What a resource's devices are on this machine.
#pragma once

#include "slipway/app.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::local {

/// Replicas see the device files of this machine as everybody does, and none is reserved. Tells
/// `on_finding` so when the role's resource has devices, with their files as the site's device
/// tables and the built-in ones name them, and which of them are not there or not known. Throws
/// what the host says about a broken device table.
void tell_devices(const Role& role, const Host& host, const Call& call,
                  const Scheduler::OnFinding& on_finding);

}  // namespace slipway::local
