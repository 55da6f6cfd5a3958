// An image provider of any plug-in as a C++ class; contracts in slipway/abi/image_provider.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/registry/calls/call_context.hpp"
#include "core/registry/objects/plugin_object.hpp"
#include "slipway/abi/image_provider.h"
#include "slipway/image_provider.hpp"

namespace slipway::registry {

class PluginImageProvider {
 public:
  PluginImageProvider(std::shared_ptr<Library> library, slipway_image_provider* object)
      : object_(std::move(library), object) {}

  std::string resolve(std::string_view image, const slipway_cancel* cancel = nullptr) const;
  std::string fetch(std::string_view image, const slipway_cancel* cancel = nullptr) const;
  /// Appends to `env` what the provider adds to the role's environment.
  std::string fetch_role(const Role& role, StrDict& env,
                         const slipway_cancel* cancel = nullptr) const;
  std::string entrypoint(std::string_view img_root, const Role& role) const;
  std::optional<std::string> cwd(std::string_view image) const;
  /// `role`'s macros are replaced already.
  ReplicaParam replica_param(std::string_view img_root, const Role& role) const;

  /// The file that keeps the fetched image in place as long as it is locked; see the ABI's
  /// get_use_lock.
  std::optional<std::string> use_lock(std::string_view image,
                                      const slipway_cancel* cancel = nullptr) const;

  /// For handing the object to a plug-in; owned by this adopter.
  slipway_image_provider* get() const { return object_.get(); }

 private:
  PluginObject<slipway_image_provider, slipway_image_provider_vtbl> object_;
};

}  // namespace slipway::registry
