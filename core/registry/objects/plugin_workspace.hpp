// A workspace provider of a plug-in as a C++ class; see slipway/abi/workspace.h for the contracts.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "core/registry/calls/call_context.hpp"
#include "core/registry/objects/plugin_object.hpp"
#include "slipway/abi/workspace.h"
#include "slipway/workspace.hpp"

namespace slipway::registry {

class PluginWorkspace {
 public:
  /// Throws as PluginObject's constructor and its require_functions() do.
  PluginWorkspace(std::shared_ptr<Library> library, slipway_workspace* object)
      : object_(std::move(library), object) {
    object_.require_functions();
  }

  /// Returns the image that build() would make, without making it.
  WorkspaceResult plan(const WorkspaceOrder& order, const slipway_cancel* cancel = nullptr) const;
  /// Makes the image: a copy of the workspace.
  WorkspaceResult build(const WorkspaceOrder& order, const slipway_cancel* cancel = nullptr) const;
  /// Removes the image, which build() made. Does nothing if the provider lacks this function.
  void discard(std::string_view image) const;

 private:
  PluginObject<slipway_workspace, slipway_workspace_vtbl> object_;
};

}  // namespace slipway::registry
