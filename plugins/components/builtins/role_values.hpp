// Turns arguments that several components share into values of a role.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/components/builtins/builtin.hpp"
#include "slipway/app.hpp"

namespace slipway::builtins {

/// Returns the text of an optional parameter, which may be empty, or nullopt if it was not given.
std::optional<std::string> given_text(const Cfg& args, std::string_view name);

/// Returns the whole number of the parameter `name`. Throws Error(kInvalid) if it does not fit into
/// 32 bits.
std::int32_t count(const Cfg& args, std::string_view name);

/// Returns the resource that `-h` names, otherwise that of `--cpu`, `--gpu` and `--memMB`, where 0
/// means TorchX's default (2, 0, 1024). For an unknown name, ends the call with the host's error.
Resource requested_resource(const BuildRequest& request);

/// Sets LOGLEVEL to its value in the environment of this process, or to WARNING if it is not set
/// there, unless `env` already has it.
void add_log_level(StrDict& env);

/// Returns the mounts of `--mounts`; see parse_mounts() in slipway/mount_options.hpp.
std::vector<Mount> mounts(const Cfg& args);

/// Returns an app with one role.
AppDef app_of(std::string name, Role role);

/// Returns the resource for small programs: one CPU and 1 GiB of memory.
Resource small_resource();

}  // namespace slipway::builtins
