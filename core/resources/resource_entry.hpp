// One named resource as an administrator sees it: what it is, where it is from, and what it hides.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/registry/resource_resolution.hpp"
#include "slipway/error.hpp"

namespace slipway::resources {

struct ResourceEntry {
  std::string name;
  registry::ResolvedResource resolved;  ///< nothing in it when there is an `error`
  std::optional<Error> error;           ///< why the resource cannot be used
  /// `file:line:column` of a manifest, or the id of a plug-in.
  std::string source;
  std::string
      origin;  ///< "flag", "env", "user", "site", "vendor": the layer of that manifest or plug-in
  std::vector<std::string> shadows;  ///< sources of others of this name, which are not used
};

}  // namespace slipway::resources
