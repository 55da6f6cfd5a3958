// The C table of slipway::Workspace; scheduler_thunks.hpp says what the functions of a table do.
#pragma once

#include <memory>

#include "slipway/detail/guard.hpp"
#include "slipway/detail/views.hpp"
#include "slipway/workspace.hpp"

namespace slipway {
inline namespace sdk_1_0 {
namespace abi {

struct WorkspaceObject {
  slipway_workspace base;  // first: the C handle points to it, and object() casts it back
  const slipway_host* host;
  std::unique_ptr<Workspace> impl;
};
inline WorkspaceObject& object(slipway_workspace* self) {
  return *reinterpret_cast<WorkspaceObject*>(self);
}

inline slipway_workspace_order view_of(const WorkspaceOrder& order) {
  auto v = sized<slipway_workspace_order>();
  v.source = view(order.source);
  v.directory = view(order.directory);
  v.name = view(order.name);
  return v;
}

inline WorkspaceOrder read(const slipway_workspace_order& from) {
  const slipway_workspace_order o = widen(&from);
  return {str(o.source), str(o.directory), str(o.name)};
}

inline slipway_workspace_result view_of(const WorkspaceResult& result) {
  auto v = sized<slipway_workspace_result>();
  v.image = view(result.image);
  v.files = result.files;
  v.bytes = result.bytes;
  return v;
}

inline WorkspaceResult read(const slipway_workspace_result& from) {
  const slipway_workspace_result r = widen(&from);
  return {str(r.image), r.files, r.bytes};
}

namespace workspace_thunks {

inline void destroy(slipway_workspace* self) {
  guard(nullptr, nullptr, [&] { delete &object(self); });
}

inline slipway_status plan(slipway_workspace* self, const slipway_call* call,
                           const slipway_workspace_order* order, slipway_on_workspace on_result,
                           void* ctx, slipway_error* err) {
  return guard(object(self).host, err, [&] {
    const WorkspaceResult result =
        object(self).impl->plan(read(*order), Call(call, object(self).host, err));
    const slipway_workspace_result v = view_of(result);
    ok(on_result(ctx, &v));
  });
}

inline slipway_status build(slipway_workspace* self, const slipway_call* call,
                            const slipway_workspace_order* order, slipway_on_workspace on_result,
                            void* ctx, slipway_error* err) {
  return guard(object(self).host, err, [&] {
    const WorkspaceResult result =
        object(self).impl->build(read(*order), Call(call, object(self).host, err));
    const slipway_workspace_result v = view_of(result);
    ok(on_result(ctx, &v));
  });
}

inline slipway_status discard(slipway_workspace* self, const slipway_call* call, slipway_str image,
                              slipway_error* err) {
  return guard(object(self).host, err, [&] {
    object(self).impl->discard(text(image), Call(call, object(self).host, err));
  });
}

/// Returns null: no optional ability of these providers is defined, so Workspace has no
/// extension() as Scheduler has.
inline const void* get_extension(slipway_workspace*, slipway_str) { return nullptr; }

}  // namespace workspace_thunks

inline constexpr slipway_workspace_vtbl kWorkspaceTable = {
    sizeof(slipway_workspace_vtbl),  0,
    workspace_thunks::destroy,       workspace_thunks::plan,
    workspace_thunks::build,         workspace_thunks::discard,
    workspace_thunks::get_extension,
};

}  // namespace abi
}  // namespace sdk_1_0
}  // namespace slipway
