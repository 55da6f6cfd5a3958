// The C table of slipway::NamedResources.
#pragma once

#include <memory>

#include "slipway/detail/app_views.hpp"
#include "slipway/detail/guard.hpp"
#include "slipway/named_resources.hpp"

namespace slipway::abi {

struct NamedResourcesObject {
  slipway_named_resources base;
  const slipway_host* host;
  std::unique_ptr<NamedResources> impl;
};
inline NamedResourcesObject& object(slipway_named_resources* self) {
  return *reinterpret_cast<NamedResourcesObject*>(self);
}

namespace named_resources_thunks {

inline void destroy(slipway_named_resources* self) {
  guard(nullptr, nullptr, [&] { delete &object(self); });
}

inline slipway_status list(slipway_named_resources* self, slipway_on_named_resource on_resource,
                           void* ctx, slipway_error* err) {
  return guard(object(self).host, err, [&] {
    for (const auto& [name, resource] : object(self).impl->list()) {
      const ResourceView v(resource);
      ok(on_resource(ctx, view(name), v.get()));
    }
  });
}

inline slipway_status get(slipway_named_resources* self, slipway_str name,
                          slipway_on_named_resource on_resource, void* ctx, slipway_error* err) {
  return guard(object(self).host, err, [&] {
    const auto resource = object(self).impl->get(text(name));
    if (!resource) return;
    const ResourceView v(*resource);
    ok(on_resource(ctx, name, v.get()));
  });
}

inline const void* get_extension(slipway_named_resources*, slipway_str) { return nullptr; }

}  // namespace named_resources_thunks

inline constexpr slipway_named_resources_vtbl kNamedResourcesTable = {
    sizeof(slipway_named_resources_vtbl), 0,
    named_resources_thunks::destroy,      named_resources_thunks::list,
    named_resources_thunks::get,          named_resources_thunks::get_extension,
};

}  // namespace slipway::abi
