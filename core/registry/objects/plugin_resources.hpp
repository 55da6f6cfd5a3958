// A named-resource provider of a plug-in as a C++ class; see slipway/abi/named_resources.h for the
// contracts.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "core/registry/objects/plugin_object.hpp"
#include "slipway/abi/named_resources.h"
#include "slipway/app.hpp"

namespace slipway::registry {

/// Both functions throw kAbi for a resource that is NULL, and kInvalid for a name that contains a
/// hidden character (spec::hidden_fault()).
class PluginResources {
 public:
  /// Throws as PluginObject's constructor and its require_functions() do.
  PluginResources(std::shared_ptr<Library> library, slipway_named_resources* object)
      : object_(std::move(library), object) {
    object_.require_functions();
  }

  /// Returns all resources in the provider's order.
  Dict<Resource> list() const;
  /// Returns the resource, or nullopt for an unknown name.
  std::optional<Resource> get(std::string_view name) const;

 private:
  PluginObject<slipway_named_resources, slipway_named_resources_vtbl> object_;
};

}  // namespace slipway::registry
