// Checks the keys of a role beyond TorchX's fields, such as `timeout_s` and `depends_on`.
#pragma once

#include <string_view>
#include <vector>

#include "core/spec/fields.hpp"
#include "core/spec/table_marks.hpp"
#include "slipway/app.hpp"

namespace slipway::spec {

/// Adds a problem for each key "slipway.KEY" in the role's metadata that is unknown, and for each
/// value of a wrong type or range. The metadata must be JSON. `marks` has the places of the role in
/// its file, or is null. `roles` are the names that `depends_on` may have. Schedulers check the
/// ports of probes, and refuse roles that wait for each other.
void check_role_keys(const Role& role, const TableMarks* marks, const KeyPath& path,
                     const std::vector<std::string_view>& roles, FieldReader& report);

}  // namespace slipway::spec
