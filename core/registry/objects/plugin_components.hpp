// A component provider of a plug-in as a C++ class; see slipway/abi/component.h for the contracts.
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
  /// Throws as PluginObject's constructor and its require_functions() do.
  PluginComponents(std::shared_ptr<Library> library, slipway_components* object)
      : object_(std::move(library), object) {
    object_.require_functions();
  }

  /// Returns the components that `query` selects, in the provider's order. An empty query selects
  /// all components that belong to no file.
  std::vector<ComponentInfo> list(const ComponentQuery& query = {}) const;
  /// Returns the app of the component `name`, which is in `file` if that is not empty. `args`
  /// contains the value of each parameter that has one. Throws kNotFound for an unknown component,
  /// and kAbi if the provider returns no app.
  AppDef build(std::string_view name, const Cfg& args, std::string_view file = {}) const;
  /// Returns the mistakes in the file of `query`. Throws kUnimplemented if the provider checks no
  /// files.
  std::vector<ComponentProblem> check(const ComponentQuery& query) const;

 private:
  PluginObject<slipway_components, slipway_components_vtbl> object_;
};

}  // namespace slipway::registry
