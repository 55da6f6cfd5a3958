// Applies the rules for apps to the app that a component makes.
#pragma once

#include <string>

#include "core/components/component_file.hpp"
#include "core/spec/problem.hpp"
#include "core/spec/resolve_resources.hpp"

namespace slipway::lint {

/// Adds the problems of the app template of `component`, expanded with its defaults and with sample
/// values for parameters without one. Drops problems about a string that contains a parameter,
/// because they concern the sample, and about numbers that may be right for other arguments. Skips
/// components that cannot be expanded because of problems that were already reported.
void check_template(const components::FileComponent& component, const std::string& source,
                    const spec::ResourceResolver& resolver, const spec::ResourceNames& known_names,
                    spec::ProblemList& problems);

}  // namespace slipway::lint
