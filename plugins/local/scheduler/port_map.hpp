// The ports of a role (`port_map`), which its replicas see as `SLIPWAY_PORT_<NAME>`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugins/local/engine/plan.hpp"
#include "slipway/app.hpp"
#include "slipway/host.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// The value of a variable for a port that is not known before the launch.
inline constexpr const char* kChosenAtLaunch = "(chosen at launch)";

/// Returns the name in capitals, with `_` in place of everything but ASCII letters and digits.
std::string variable_part(std::string_view name);
/// Returns `SLIPWAY_PORT_<NAME>`, the variable with a port of a replica's own role.
std::string port_variable(std::string_view name);

/// Adds a variable for each port of the role, unless `env` has it. The value of port 0 is
/// kChosenAtLaunch. Throws kInvalid if two names make the same variable.
void add_port_variables(StrDict& env, const Role& role);

/// Chooses the ports right before a launch: gives each replica free TCP ports of its own for ports
/// that are 0 in the role and whose variable neither the role's `env` nor a patch of the request
/// has set. A port of which shares_port() is true has the same number in all replicas of its role.
/// Records all ports in the groups of `plan`, and fills in the variables and macros of
/// role_ports.hpp. Returns the leases (machine_leases.hpp), which the supervisor inherits: on the
/// chosen ports and on the fixed ports of the roles, not on ports that `env` or a patch has set.
/// Throws kInvalid if two roles have the same fixed port; kUnavailable if another app leases a
/// fixed port, a program uses one, or no free port is left; kCancelled if `call` is cancelled
/// while it waits for a fixed port; and what set_role_variables(), lease_pool() and
/// make_lease_holder() throw.
///
/// A chosen port is none of the app's other ports. No TCP socket on this machine has bound it, on
/// any address, and no other app leases it. It lies outside the range from which the kernel takes
/// ports of outgoing connections, unless that range leaves too little room. A program that takes no
/// lease can still bind it; only binding the port here could prevent that.
std::vector<OwnedFd> choose_ports(LaunchPlan& plan, const AppDef& app, const Call& call);

}  // namespace slipway::local
