// The rules for component files, beyond what reading them checks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/components/component_file.hpp"
#include "core/spec/fields.hpp"

namespace slipway::lint {

/// Warns about a component or parameter without help, and about parameters that the app does not
/// use.
void check_component(const components::FileComponent& component, spec::FieldReader& report);

/// Returns the error for a missing component `name`. `names` are the components of `file`, or empty
/// for an app file.
spec::Problem unknown_component(const std::string& file, const std::vector<std::string>& names,
                                const std::string& name);

}  // namespace slipway::lint
