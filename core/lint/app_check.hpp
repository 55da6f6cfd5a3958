// Applies all rules to an app file, including those of core/spec.
#pragma once

#include "core/spec/app_file.hpp"
#include "core/spec/problem.hpp"
#include "core/spec/resolve_resources.hpp"

namespace slipway::lint {

/// Adds every problem of `file`, which has already been read, to `problems`. Resolves its named
/// resources.
void check_app(spec::AppFile& file, const spec::ResourceResolver& resolver,
               const spec::ResourceNames& known_names, spec::ProblemList& problems);

}  // namespace slipway::lint
