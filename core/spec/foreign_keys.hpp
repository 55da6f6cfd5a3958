// Keys that users of other tools write by habit: docker-compose, process-compose, Kubernetes,
// Slurm.
#pragma once

#include <string>
#include <string_view>

#include "core/spec/node.hpp"

namespace slipway::spec {

/// Returns the hint for an unknown key of a role whose meaning another key has: "write
/// num_replicas". Takes the program and its arguments from `value` if it is a command line. Returns
/// an empty text for other keys.
std::string hint_for_role_key(std::string_view key, const Node& value);

/// Returns the hint for an unknown key of an app: a key of a role, or another tool's word for the
/// roles. Returns an empty text for other keys.
std::string hint_for_app_key(std::string_view key);

/// Returns the hint for `roles` as a table: [roles], or [roles.NAME] as in docker-compose.
std::string hint_for_roles_table(const Node& table);

}  // namespace slipway::spec
