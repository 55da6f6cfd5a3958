#include "core/registry/objects/plugin_image_provider.hpp"

#include "slipway/detail/app_views.hpp"

namespace slipway::registry {

namespace {

struct ImageAnswers : CallbackState {
  std::optional<std::string> text;
  StrDict env;
  ReplicaParam param;
};

slipway_status on_text(void* ctx, slipway_str value) {
  auto& to = *static_cast<ImageAnswers*>(ctx);
  return to.run([&] { to.text = abi::str(value); });
}

slipway_status on_env(void* ctx, slipway_str key, slipway_str value) {
  auto& to = *static_cast<ImageAnswers*>(ctx);
  return to.run([&] { to.env.emplace_back(abi::str(key), abi::str(value)); });
}

slipway_status on_param(void* ctx, const slipway_replica_param* param) {
  auto& to = *static_cast<ImageAnswers*>(ctx);
  return to.run([&] {
    const slipway_replica_param p = abi::widen(param);
    to.param.args = abi::read(p.args);
    to.param.env = abi::read(p.env);
    if (p.cwd.ptr != nullptr) to.param.cwd = abi::str(p.cwd);
  });
}

}  // namespace

std::string PluginImageProvider::resolve(std::string_view image,
                                         const slipway_cancel* cancel) const {
  const auto function = object_.need(&slipway_image_provider_vtbl::resolve, "resolve images");
  const slipway_call call = call_context(cancel);
  ImageAnswers state;
  object_.call("resolve", state, [&](slipway_error* err) {
    return function(object_.get(), &call, abi::view(image), &on_text, &state, err);
  });
  return std::move(state.text).value_or(std::string());
}

std::string PluginImageProvider::fetch(std::string_view image, const slipway_cancel* cancel) const {
  const auto function = object_.need(&slipway_image_provider_vtbl::fetch, "fetch images");
  const slipway_call call = call_context(cancel);
  ImageAnswers state;
  object_.call("fetch", state, [&](slipway_error* err) {
    return function(object_.get(), &call, abi::view(image), &on_text, &state, err);
  });
  return std::move(state.text).value_or(std::string());
}

std::string PluginImageProvider::fetch_role(const Role& role, StrDict& env,
                                            const slipway_cancel* cancel) const {
  if (!object_.has(&slipway_image_provider_vtbl::fetch_role)) return fetch(role.image, cancel);
  const abi::RoleView view(role);
  const slipway_call call = call_context(cancel);
  ImageAnswers state;
  object_.call("fetch_role", state, [&](slipway_error* err) {
    return object_.table().fetch_role(object_.get(), &call, view.get(), &on_text, &on_env, &state,
                                      err);
  });
  for (auto& entry : state.env) env.push_back(std::move(entry));
  return std::move(state.text).value_or(std::string());
}

std::optional<std::string> PluginImageProvider::use_lock(std::string_view image,
                                                         const slipway_cancel* cancel) const {
  if (!object_.has(&slipway_image_provider_vtbl::get_use_lock)) return std::nullopt;
  const slipway_call call = call_context(cancel);
  ImageAnswers state;
  object_.call("get_use_lock", state, [&](slipway_error* err) {
    return object_.table().get_use_lock(object_.get(), &call, abi::view(image), &on_text, &state,
                                        err);
  });
  return std::move(state.text);
}

std::string PluginImageProvider::entrypoint(std::string_view img_root, const Role& role) const {
  if (!object_.has(&slipway_image_provider_vtbl::get_entrypoint)) return role.entrypoint;
  const abi::RoleView view(role);
  ImageAnswers state;
  object_.call("get_entrypoint", state, [&](slipway_error* err) {
    return object_.table().get_entrypoint(object_.get(), abi::view(img_root), view.get(), &on_text,
                                          &state, err);
  });
  return std::move(state.text).value_or(role.entrypoint);
}

std::optional<std::string> PluginImageProvider::cwd(std::string_view image) const {
  if (!object_.has(&slipway_image_provider_vtbl::get_cwd)) return std::nullopt;
  ImageAnswers state;
  object_.call("get_cwd", state, [&](slipway_error* err) {
    return object_.table().get_cwd(object_.get(), abi::view(image), &on_text, &state, err);
  });
  return std::move(state.text);
}

ReplicaParam PluginImageProvider::replica_param(std::string_view img_root, const Role& role) const {
  ImageAnswers state;
  if (object_.has(&slipway_image_provider_vtbl::get_replica_param)) {
    const abi::RoleView view(role);
    object_.call("get_replica_param", state, [&](slipway_error* err) {
      return object_.table().get_replica_param(object_.get(), abi::view(img_root), view.get(),
                                               &on_param, &state, err);
    });
    return std::move(state.param);
  }
  state.param.args.push_back(entrypoint(img_root, role));
  state.param.args.insert(state.param.args.end(), role.args.begin(), role.args.end());
  state.param.env = role.env;
  state.param.cwd = cwd(role.image);
  return std::move(state.param);
}

}  // namespace slipway::registry
