// Reads a role from its table in an app file.
#pragma once

#include <string>

#include "core/spec/app_file.hpp"
#include "core/spec/fields.hpp"
#include "slipway/app.hpp"

namespace slipway::spec {

/// Reads one role. `resource_name` receives the name if `resource` is a string. Wrong values become
/// problems and leave the default. Wrong entries of args, env, ports and mounts are skipped, so
/// that the marks stay parallel.
void read_role(Node& table, const KeyPath& path, FieldReader& reader, Role& out, RoleMarks& marks,
               std::string& resource_name);

}  // namespace slipway::spec
