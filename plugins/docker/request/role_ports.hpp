// The ports that macros name. A container has all numbers to itself, so they are those of the app.
#pragma once

#include <optional>
#include <string>

#include "sdk/support/port_macros.hpp"
#include "slipway/app.hpp"

namespace slipway::docker {

/// Returns the number of the port that a macro in a text of the role names; nullopt if it names a
/// host, or no port of the app. Throws Error kInvalid for a port that is 0.
std::optional<std::string> port_named(const PortMacro& macro, const AppDef& app, const Role& role);

}  // namespace slipway::docker
