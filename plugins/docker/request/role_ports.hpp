// The ports that macros name. The numbers of the app file are valid in a container, which has all
// port numbers to itself, unless it uses the network of the machine.
#pragma once

#include <optional>
#include <string>

#include "sdk/support/port_macros.hpp"
#include "slipway/app.hpp"

namespace slipway::docker {

/// Returns the number of the port that the macro, in a text of `role`, names. Returns nullopt if
/// the macro names a host, or a port that the app does not have. Throws Error kInvalid for a port
/// that is 0.
std::optional<std::string> port_named(const PortMacro& macro, const AppDef& app, const Role& role);

}  // namespace slipway::docker
