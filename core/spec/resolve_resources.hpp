// Named resources: `resource = "gpu.small"` becomes numbers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/spec/app_file.hpp"
#include "core/spec/problem.hpp"
#include "slipway/app.hpp"

namespace slipway::spec {

/// What a name stands for.
struct NamedResource {
  Resource resource;
  Dict<Resource> on_schedulers;  ///< where it is something else, by scheduler
  std::string deprecated;        ///< what to write instead; empty: nothing is wrong with the name

  /// One that is the same everywhere is a resource and no more, so that resolvers may return that.
  NamedResource(Resource everywhere)  // NOLINT(google-explicit-constructor)
      : resource(std::move(everywhere)) {}
};

/// The resource of that name, or nullopt when nobody knows it. May throw Error, for instance when
/// the plug-in that defines it is broken: that becomes a problem of each role that asks for it.
using ResourceResolver = std::function<std::optional<NamedResource>(std::string_view name)>;

/// Names for "did you mean"; called at most once, and only when a name is unknown.
using ResourceNames = std::function<std::vector<std::string>()>;

/// Gives every role that names a resource what the name stands for, on single schedulers too, and
/// empties its entry of `resource_names`. Each name is asked for once. Unknown names are added to
/// `problems` with code kNotFound and keep their entry; deprecated ones are warnings.
void resolve_resources(AppFile& file, const ResourceResolver& resolver,
                       const ResourceNames& known_names, ProblemList& problems);

}  // namespace slipway::spec
