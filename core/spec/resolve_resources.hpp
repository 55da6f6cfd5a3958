// Named resources: `resource = "gpu.small"` becomes numbers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/spec/app_file.hpp"
#include "core/spec/problem.hpp"
#include "slipway/app.hpp"

namespace slipway::spec {

/// The resource of that name, or nullopt when nobody knows it. May throw Error, for instance when
/// the plug-in that defines it is broken: that becomes a problem of each role that asks for it.
using ResourceResolver = std::function<std::optional<Resource>(std::string_view name)>;

/// Names for "did you mean"; called at most once, and only when a name is unknown.
using ResourceNames = std::function<std::vector<std::string>()>;

/// Gives every role that names a resource what the name stands for, and empties its entry of
/// `resource_names`. Each name is asked for once. Unknown names are added to `problems` with code
/// kNotFound and keep their entry.
void resolve_resources(AppFile& file, const ResourceResolver& resolver,
                       const ResourceNames& known_names, ProblemList& problems);

}  // namespace slipway::spec
