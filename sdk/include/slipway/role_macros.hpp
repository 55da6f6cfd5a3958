// Replaces macros in a role. Every scheduler does this for each replica.
#pragma once

#include <utility>

#include "slipway/app.hpp"
#include "slipway/json_text.hpp"
#include "slipway/macros.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// Returns the role with the macros replaced in its args, the values of its env and the strings of
/// its metadata (substitute_macros_in_json()), and only there, like TorchX's `Values.apply`. Never
/// fails. [any thread]
inline Role apply_macros(Role role, const MacroValues& values) {
  for (std::string& arg : role.args) arg = substitute_macros(arg, values);
  for (auto& entry : role.env) entry.second = substitute_macros(entry.second, values);
  if (!role.metadata_json.empty())
    role.metadata_json = substitute_macros_in_json(role.metadata_json, values);
  return role;
}

}  // namespace sdk_1_0
}  // namespace slipway
