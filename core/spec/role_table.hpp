// A role written as a table of an app file.
#pragma once

#include <string>

#include "core/spec/app_file.hpp"
#include "core/spec/fields.hpp"
#include "slipway/app.hpp"

namespace slipway::spec {

/// Reads one role. `resource_name` receives the name when `resource` is a string. Wrong values
/// become problems and leave the default; entries of args, env, ports and mounts that are wrong are
/// left out, so that the marks stay parallel.
void read_role(Node& table, const KeyPath& path, FieldReader& reader, Role& out, RoleMarks& marks,
               std::string& resource_name);

}  // namespace slipway::spec
