// From arguments that several components share to the values of a role.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/components/builtins/builtin.hpp"
#include "slipway/app.hpp"

namespace slipway::builtins {

/// The text, also an empty one, that was given for an optional parameter.
std::optional<std::string> given_text(const Cfg& args, std::string_view name);

/// A whole number that a role can hold. Throws Error(kInvalid) when it has more than 32 bits.
std::int32_t count(const Cfg& args, std::string_view name);

/// What `-h` names, else `--cpu`, `--gpu`, `--memMB`; of these 0 stands for TorchX's default (2, 0, 1024). A name that
/// nobody defines ends the call with the host's message.
Resource requested_resource(const BuildRequest& request);

/// Sets LOGLEVEL unless it is there: this process's, else WARNING.
void add_log_level(StrDict& env);

/// `--mounts`; see parse_mounts().
std::vector<Mount> mounts(const Cfg& args);

/// An app of one role.
AppDef app_of(std::string name, Role role);

/// What small programs need: one CPU and a GiB.
Resource small_resource();

}  // namespace slipway::builtins
