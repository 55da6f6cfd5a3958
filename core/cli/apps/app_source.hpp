// The APP argument of `run`.
#pragma once

#include <optional>
#include <string>

#include "core/cli/apps/component_source.hpp"
#include "core/cli/invocation/invocation.hpp"
#include "slipway/app.hpp"

namespace slipway::cli {

/// The app in `source`: a path ending in .toml or .json, `-` for JSON on standard input, or a
/// component (a file with one is its component, too); named resources are resolved and everything
/// is validated. nullopt when a component's help was asked for, and printed.
///
/// Throws InvalidApp with all problems; Error kNotFound when there is no such file or component;
/// kUsage when what is `given` does not fit.
std::optional<AppDef> load_app(Invocation& invocation, const std::string& source,
                               const ComponentGiven& given);

/// Warns of manifests and plug-ins that could not be used: a resource may be unknown only because
/// of one of them.
void tell_unusable_manifests(Invocation& invocation);

}  // namespace slipway::cli
