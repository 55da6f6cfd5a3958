// The C tables of slipway::ImageProvider; scheduler_thunks.hpp says what the functions of a table
// do.
#pragma once

#include <memory>

#include "slipway/abi/image_cache.h"
#include "slipway/detail/app_views.hpp"
#include "slipway/detail/guard.hpp"
#include "slipway/detail/status_views.hpp"
#include "slipway/image_provider.hpp"

namespace slipway {
inline namespace sdk_1_0 {
namespace abi {

struct ImageProviderObject {
  slipway_image_provider base;  // first: the C handle points to it, and object() casts it back
  const slipway_host* host;
  std::unique_ptr<ImageProvider> impl;
};
inline ImageProviderObject& object(slipway_image_provider* self) {
  return *reinterpret_cast<ImageProviderObject*>(self);
}

inline UnusedImage read(const slipway_unused_image& from) {
  const slipway_unused_image image = widen(&from);
  return {str(image.root), read_time(image.last_used_at_ns)};
}

namespace image_provider_thunks {

inline void destroy(slipway_image_provider* self) {
  guard(nullptr, nullptr, [&] { delete &object(self); });
}

inline void deliver(const std::string& root, const StrDict& env, slipway_on_image on_image,
                    void* ctx) {
  const std::vector<slipway_kv> variables = views_of(env);
  auto v = sized<slipway_image>();
  v.root = view(root);
  v.env = array_of<slipway_kv_array>(variables);
  ok(on_image(ctx, &v));
}

inline slipway_status resolve(slipway_image_provider* self, const slipway_call* call,
                              slipway_str image, slipway_on_image on_image, void* ctx,
                              slipway_error* err) {
  return guard(object(self).host, err, [&] {
    deliver(object(self).impl->resolve(text(image), Call(call, object(self).host, err)), {},
            on_image, ctx);
  });
}

inline slipway_status fetch(slipway_image_provider* self, const slipway_call* call,
                            slipway_str image, slipway_on_image on_image, void* ctx,
                            slipway_error* err) {
  return guard(object(self).host, err, [&] {
    deliver(object(self).impl->fetch(text(image), Call(call, object(self).host, err)), {}, on_image,
            ctx);
  });
}

inline slipway_status fetch_role(slipway_image_provider* self, const slipway_call* call,
                                 const slipway_role* role, slipway_on_image on_image, void* ctx,
                                 slipway_error* err) {
  return guard(object(self).host, err, [&] {
    StrDict env;
    const std::string root =
        object(self).impl->fetch_role(read_order(*role), env, Call(call, object(self).host, err));
    deliver(root, env, on_image, ctx);
  });
}

inline slipway_status get_entrypoint(slipway_image_provider* self, const slipway_call* call,
                                     slipway_str img_root, const slipway_role* role,
                                     slipway_on_str on_entrypoint, void* ctx, slipway_error* err) {
  return guard(object(self).host, err, [&] {
    const std::string program = object(self).impl->entrypoint(text(img_root), read_order(*role),
                                                              Call(call, object(self).host, err));
    ok(on_entrypoint(ctx, view(program)));
  });
}

inline slipway_status get_cwd(slipway_image_provider* self, const slipway_call* call,
                              slipway_str image, slipway_on_str on_cwd, void* ctx,
                              slipway_error* err) {
  return guard(object(self).host, err, [&] {
    if (const auto cwd = object(self).impl->cwd(text(image), Call(call, object(self).host, err)))
      ok(on_cwd(ctx, view(*cwd)));
  });
}

inline slipway_status get_replica_param(slipway_image_provider* self, const slipway_call* call,
                                        slipway_str img_root, const slipway_role* role,
                                        slipway_on_replica_param on_param, void* ctx,
                                        slipway_error* err) {
  return guard(object(self).host, err, [&] {
    const ReplicaParam param = object(self).impl->replica_param(text(img_root), read_order(*role),
                                                                Call(call, object(self).host, err));
    const std::vector<slipway_str> args = views_of(param.args);
    const std::vector<slipway_kv> env = views_of(param.env);
    auto v = sized<slipway_replica_param>();
    v.args = array_of<slipway_str_array>(args);
    v.env = array_of<slipway_kv_array>(env);
    if (param.cwd) v.cwd = view(*param.cwd);
    ok(on_param(ctx, &v));
  });
}

inline slipway_status list_unused(slipway_image_provider* self, const slipway_call* call,
                                  slipway_on_unused_image on_image, void* ctx, slipway_error* err) {
  return guard(object(self).host, err, [&] {
    for (const UnusedImage& image :
         object(self).impl->unused_images(Call(call, object(self).host, err))) {
      auto v = sized<slipway_unused_image>();
      v.root = view(image.root);
      v.last_used_at_ns = time_of(image.last_used_at);
      ok(on_image(ctx, &v));
    }
  });
}

inline slipway_status remove_image(slipway_image_provider* self, const slipway_call* call,
                                   slipway_str root, slipway_error* err) {
  return guard(object(self).host, err, [&] {
    object(self).impl->remove_image(text(root), Call(call, object(self).host, err));
  });
}

inline constexpr slipway_image_provider_cache kCache = {sizeof(slipway_image_provider_cache), 0,
                                                        list_unused, remove_image};

inline const void* get_extension(slipway_image_provider* self, slipway_str id) {
  const void* found = nullptr;
  guard(nullptr, nullptr, [&] {
    found = object(self).impl->extension(text(id));
    if (found == nullptr && text(id) == SLIPWAY_IMAGE_PROVIDER_CACHE) found = &kCache;
  });
  return found;
}

inline slipway_status get_use_lock(slipway_image_provider* self, const slipway_call* call,
                                   slipway_str image, slipway_on_str on_path, void* ctx,
                                   slipway_error* err) {
  return guard(object(self).host, err, [&] {
    const auto path = object(self).impl->use_lock(text(image), Call(call, object(self).host, err));
    if (path) ok(on_path(ctx, view(*path)));
  });
}

}  // namespace image_provider_thunks

inline constexpr slipway_image_provider_vtbl kImageProviderTable = {
    sizeof(slipway_image_provider_vtbl),
    0,
    image_provider_thunks::destroy,
    image_provider_thunks::resolve,
    image_provider_thunks::fetch,
    image_provider_thunks::fetch_role,
    image_provider_thunks::get_entrypoint,
    image_provider_thunks::get_cwd,
    image_provider_thunks::get_replica_param,
    image_provider_thunks::get_extension,
    image_provider_thunks::get_use_lock,
};

}  // namespace abi
}  // namespace sdk_1_0
}  // namespace slipway
