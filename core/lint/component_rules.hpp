// The rules for component files, beyond what reading them checks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/components/component_file.hpp"
#include "core/spec/fields.hpp"

namespace slipway::lint {

/// Help for the component and each of its parameters, and a use for each parameter. Adds warnings.
void check_component(const components::FileComponent& component, spec::FieldReader& report);

/// The problems that are about the component `name`, and those about no component; in their order.
std::vector<spec::Problem> of_component(std::vector<spec::Problem> problems, std::string_view name);

/// The error that `file`, with these components, has none called `name`.
spec::Problem unknown_component(const std::string& file, const std::vector<std::string>& names,
                                const std::string& name);

}  // namespace slipway::lint
