// The ports of a role as its replicas see them: `SLIPWAY_PORT_<NAME>`.
#pragma once

#include <string>
#include <vector>

#include "plugins/local/engine/plan.hpp"
#include "slipway/app.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// `SLIPWAY_PORT_` and the name in capitals, everything but ASCII letters and digits as `_`.
std::string port_variable(std::string_view name);

/// Adds a variable for each port of the role, unless `env` has it. One that is 0 gets a text that
/// says that it will be chosen at launch. Throws kInvalid for names that make the same variable.
void add_port_variables(StrDict& env, const Role& role);

/// Right before a launch: gives every replica free ports of its own where the role leaves them open
/// (and the request was not changed to say which), and notes all ports in the groups. Returns the
/// leases on what was picked, which the supervisor inherits. Errors as PortPicker's.
std::vector<OwnedFd> choose_ports(LaunchPlan& plan, const AppDef& app);

}  // namespace slipway::local
