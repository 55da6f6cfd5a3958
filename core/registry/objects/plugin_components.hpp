// A components provider of any plug-in as a C++ class; contracts in slipway/abi/component.h.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/registry/objects/plugin_object.hpp"
#include "slipway/abi/component.h"
#include "slipway/components.hpp"

namespace slipway::registry {

class PluginComponents {
 public:
  PluginComponents(std::shared_ptr<Library> library, slipway_components* object)
      : object_(std::move(library), object) {}

  std::vector<ComponentInfo> list() const;
  /// `args` holds a value for every parameter that has one. Throws kNotFound for an unknown
  /// component.
  AppDef build(std::string_view name, const Cfg& args) const;

 private:
  PluginObject<slipway_components, slipway_components_vtbl> object_;
};

}  // namespace slipway::registry
