// The rules for apps, on the app that a component makes.
#pragma once

#include <string>

#include "core/components/component_file.hpp"
#include "core/spec/problem.hpp"
#include "core/spec/resolve_resources.hpp"

namespace slipway::lint {

/// Adds what is wrong with the app template of `component`, seen with its defaults and with sample values where it has
/// none. What stands at a string with a parameter in it is about the sample, and is left out; so are numbers that may
/// fit for other arguments. Components that cannot be expanded, because of problems told before, are left alone.
void check_template(const components::FileComponent& component, const std::string& source,
                    const spec::ResourceResolver& resolver, const spec::ResourceNames& known_names,
                    spec::ProblemList& problems);

}  // namespace slipway::lint
