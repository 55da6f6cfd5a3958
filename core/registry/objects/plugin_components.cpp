#include "core/registry/objects/plugin_components.hpp"

#include <optional>
#include <utility>

#include "core/registry/calls/call_context.hpp"
#include "slipway/detail/components_thunks.hpp"

namespace slipway::registry {

std::vector<ComponentInfo> PluginComponents::list() const {
  const auto function = object_.need(&slipway_components_vtbl::list, "list its components");
  std::vector<ComponentInfo> out;
  Callback on_component(
      [&](const slipway_component_info* info) { out.push_back(abi::read(*info)); });
  const slipway_call call = call_context(nullptr);
  object_.call("list", on_component, [&](slipway_error* err) {
    return function(object_.get(), &call, on_component, &on_component, err);
  });
  return out;
}

AppDef PluginComponents::build(std::string_view name, const Cfg& args) const {
  const auto function = object_.need(&slipway_components_vtbl::build, "build apps");
  std::optional<AppDef> out;
  Callback on_app([&](const slipway_app_def* app) { out = abi::read(*app); });
  const abi::CfgView view(args);
  const slipway_call call = call_context(nullptr);
  object_.call("build", on_app, [&](slipway_error* err) {
    return function(object_.get(), &call, abi::view(name), view.get(), on_app, &on_app, err);
  });
  if (!out) throw Error(Code::kAbi, "build succeeded without an app", {}, object_.plugin_id());
  return *std::move(out);
}

}  // namespace slipway::registry
