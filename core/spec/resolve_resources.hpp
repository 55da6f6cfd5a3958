// Resolves named resources: replaces `resource = "gpu.small"` with its cpu, gpu and memory.
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

/// The resource that a name stands for.
struct NamedResource {
  Resource resource;
  Dict<Resource> on_schedulers;  ///< variants for single schedulers, by scheduler
  std::string deprecated;        ///< what to write instead, or empty if the name is not deprecated

  /// Implicit, so that resolvers can return a plain Resource that is the same on every scheduler.
  NamedResource(Resource everywhere)  // NOLINT(google-explicit-constructor)
      : resource(std::move(everywhere)) {}
};

/// Returns the resource of that name, or nullopt if the name is unknown. May throw Error, for
/// instance if the plug-in that defines the name is broken; the error becomes a problem of each
/// role that uses the name.
using ResourceResolver = std::function<std::optional<NamedResource>(std::string_view name)>;

/// Returns the known names, for hints. Called at most once, and only if a name is unknown. Without
/// a function no name is suggested.
using ResourceNames = std::function<std::vector<std::string>()>;

/// Sets the resource of every role that names one, including its variants for single schedulers,
/// and clears the role's entry of `resource_names`. Looks each name up once. Adds unknown names to
/// `problems` with code kNotFound, and the resolver's errors with their own codes, and keeps the
/// entries of both; adds deprecated names as warnings.
void resolve_resources(AppFile& file, const ResourceResolver& resolver,
                       const ResourceNames& known_names, ProblemList& problems);

}  // namespace slipway::spec
