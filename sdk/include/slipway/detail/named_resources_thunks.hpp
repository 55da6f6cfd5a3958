// The C table of slipway::NamedResources; scheduler_thunks.hpp says what the functions of a table
// do.
#pragma once

#include <memory>

#include "slipway/detail/app_views.hpp"
#include "slipway/detail/guard.hpp"
#include "slipway/named_resources.hpp"

namespace slipway {
inline namespace sdk_1_0 {
namespace abi {

struct NamedResourcesObject {
  slipway_named_resources base;  // first: the C handle points to it, and object() casts it back
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

inline void deliver(std::string_view name, const Resource& resource,
                    slipway_on_named_resource on_resource, void* ctx) {
  const ResourceView resource_view(resource);
  auto v = sized<slipway_named_resource>();
  v.name = view(name);
  v.resource = resource_view.get();
  ok(on_resource(ctx, &v));
}

inline slipway_status list(slipway_named_resources* self, const slipway_call* call,
                           slipway_on_named_resource on_resource, void* ctx, slipway_error* err) {
  return guard(object(self).host, err, [&] {
    for (const auto& [name, resource] : object(self).impl->list(Call(call, object(self).host, err)))
      deliver(name, resource, on_resource, ctx);
  });
}

inline slipway_status get(slipway_named_resources* self, const slipway_call* call, slipway_str name,
                          slipway_on_named_resource on_resource, void* ctx, slipway_error* err) {
  return guard(object(self).host, err, [&] {
    const auto resource = object(self).impl->get(text(name), Call(call, object(self).host, err));
    if (resource) deliver(text(name), *resource, on_resource, ctx);
  });
}

/// Returns null: no optional ability of these providers is defined, so NamedResources has no
/// extension() as Scheduler has.
inline const void* get_extension(slipway_named_resources*, slipway_str) { return nullptr; }

}  // namespace named_resources_thunks

inline constexpr slipway_named_resources_vtbl kNamedResourcesTable = {
    sizeof(slipway_named_resources_vtbl), 0,
    named_resources_thunks::destroy,      named_resources_thunks::list,
    named_resources_thunks::get,          named_resources_thunks::get_extension,
};

}  // namespace abi
}  // namespace sdk_1_0
}  // namespace slipway
