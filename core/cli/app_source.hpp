// The APP argument of `run`.
#pragma once

#include <string>

#include "core/cli/invocation.hpp"
#include "slipway/app.hpp"

namespace slipway::cli {

/// The app in `source`: a path ending in .toml or .json, or `-` for JSON on standard input; named resources are
/// resolved and everything is validated. Throws InvalidApp with all problems, or Error kNotFound when there is no such
/// file.
AppDef load_app(Invocation& invocation, const std::string& source);

/// All of standard input. Throws Error kInvalid above 64 MiB, kUnavailable when it cannot be read.
std::string read_standard_input();

/// Warns of manifests and plug-ins that could not be used: a resource may be unknown only because of one of them.
void tell_unusable_manifests(Invocation& invocation);

}  // namespace slipway::cli
