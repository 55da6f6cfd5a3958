// A named resource as administrators see it: its values, its source, and the sources that it
// shadows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/registry/manifests/resource_resolution.hpp"
#include "slipway/error.hpp"

namespace slipway::resources {

struct ResourceEntry {
  std::string name;
  registry::ResolvedResource resolved;  ///< empty if there is an `error`
  std::optional<Error> error;           ///< why the resource cannot be used
  /// `file:line:column` of a manifest, or the id of a plug-in.
  std::string source;
  /// The layer of that manifest or plug-in: "flag", "env", "user", "site", "vendor".
  std::string origin;
  std::vector<std::string> shadows;  ///< sources of unused resources with this name
};

}  // namespace slipway::resources
