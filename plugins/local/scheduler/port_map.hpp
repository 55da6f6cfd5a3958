// The ports of a role (`port_map`), which its replicas see as `SLIPWAY_PORT_<NAME>`.
#pragma once

#include <vector>

#include "plugins/local/engine/plan.hpp"
#include "slipway/app.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Adds a variable for each port of the role, unless `env` has it. Its name is `SLIPWAY_PORT_` and
/// the port's name in capitals, with `_` in place of everything but ASCII letters and digits. The
/// value of port 0 says that the port is chosen at launch. Throws kInvalid if two names make the
/// same variable.
void add_port_variables(StrDict& env, const Role& role);

/// Chooses the ports right before a launch: gives each replica free TCP ports of its own for ports
/// that are 0 in the role and that no patch of the request has set. Records all ports in the groups
/// of `plan`. Returns the leases on the chosen ports (machine_leases.hpp), which the supervisor
/// inherits. Throws kUnavailable if no port is left, and what make_lease_holder() throws.
///
/// A chosen port is one that no socket on this machine has bound, on any address, and that no other
/// app leases. It lies outside the range from which the kernel takes ports of outgoing connections,
/// unless that range leaves too little room. A program that takes no lease can still bind it; only
/// binding the port here could prevent that.
std::vector<OwnedFd> choose_ports(LaunchPlan& plan, const AppDef& app);

}  // namespace slipway::local
