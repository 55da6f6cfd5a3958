// How the roles of an app find each other: variables and macros with their ports.
#pragma once

#include <string_view>

#include "plugins/local/engine/plan.hpp"
#include "slipway/app.hpp"

namespace slipway::local {

/// Sets in all groups of an app of several roles, for each role with ports,
/// `SLIPWAY_ROLE_<ROLE>_HOST` and `SLIPWAY_ROLE_<ROLE>_PORT_<NAME>`, the port of its replica 0.
/// Leaves variables of the app as they are. A port that is not known yet has the value
/// kChosenAtLaunch, which the next call replaces. Throws kInvalid if two roles need the same
/// variable for different values.
void set_role_variables(LaunchPlan& plan, const AppDef& app);

/// Replaces `${port.NAME}`, `${role.ROLE.port.NAME}` and `${role.ROLE.host}` in the arguments, the
/// variables and the probe commands of all groups. A role's port is that of its replica 0. A port
/// that is not known yet stays a macro.
void fill_port_macros(LaunchPlan& plan);

/// If TorchX's dist.ddp made the role, with its default port, returns the role with a port that is
/// chosen at launch, the same for all replicas. Otherwise returns `role`. All nodes are this
/// machine, where two such apps of several nodes would meet at the default port. For one node
/// torchrun does not use the port, but with a fixed one a second app would be refused.
Role with_own_rendezvous(const Role& role);

/// Returns whether all replicas of the role share its port `name`: the one that
/// with_own_rendezvous() replaces.
bool shares_port(const Role& role, std::string_view name);

}  // namespace slipway::local
