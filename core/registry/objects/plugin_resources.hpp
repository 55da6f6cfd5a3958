// A named-resources provider of any plug-in as a C++ class; contracts in
// slipway/abi/named_resources.h.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "core/registry/objects/plugin_object.hpp"
#include "slipway/abi/named_resources.h"
#include "slipway/app.hpp"

namespace slipway::registry {

class PluginResources {
 public:
  PluginResources(std::shared_ptr<Library> library, slipway_named_resources* object)
      : object_(std::move(library), object) {}

  /// In the provider's order.
  Dict<Resource> list() const;
  std::optional<Resource> get(std::string_view name) const;

 private:
  PluginObject<slipway_named_resources, slipway_named_resources_vtbl> object_;
};

}  // namespace slipway::registry
