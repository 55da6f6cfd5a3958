// All rules that an app file is looked at with, those that make it invalid included.
#pragma once

#include "core/spec/app_file.hpp"
#include "core/spec/problem.hpp"
#include "core/spec/resolve_resources.hpp"

namespace slipway::lint {

/// Adds every problem of `file`, which was read before, to `problems`; resolves its named resources.
void check_app(spec::AppFile& file, const spec::ResourceResolver& resolver,
               const spec::ResourceNames& known_names, spec::ProblemList& problems);

}  // namespace slipway::lint
