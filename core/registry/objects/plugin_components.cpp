#include "core/registry/objects/plugin_components.hpp"

#include <optional>

#include "slipway/detail/components_thunks.hpp"

namespace slipway::registry {

namespace {

template <class Out>
struct Collect : CallbackState {
  Out out;
};

}  // namespace

std::vector<ComponentInfo> PluginComponents::list() const {
  const auto function = object_.need(&slipway_components_vtbl::list, "list its components");
  Collect<std::vector<ComponentInfo>> state;
  const auto on_component = [](void* ctx, const slipway_component_info* info) -> slipway_status {
    auto& to = *static_cast<Collect<std::vector<ComponentInfo>>*>(ctx);
    return to.run([&] { to.out.push_back(abi::read(*info)); });
  };
  object_.call("list", state, [&](slipway_error* err) {
    return function(object_.get(), on_component, &state, err);
  });
  return std::move(state.out);
}

AppDef PluginComponents::build(std::string_view name, const Cfg& args) const {
  const auto function = object_.need(&slipway_components_vtbl::build, "build apps");
  Collect<std::optional<AppDef>> state;
  const auto on_app = [](void* ctx, const slipway_app_def* app) -> slipway_status {
    auto& to = *static_cast<Collect<std::optional<AppDef>>*>(ctx);
    return to.run([&] { to.out = abi::read(*app); });
  };
  const abi::CfgView view(args);
  object_.call("build", state, [&](slipway_error* err) {
    return function(object_.get(), abi::view(name), view.get(), on_app, &state, err);
  });
  if (!state.out)
    throw Error(Code::kAbi, "build succeeded without an app", {}, object_.plugin_id());
  return std::move(*state.out);
}

}  // namespace slipway::registry
