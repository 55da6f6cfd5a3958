#include "core/registry/objects/plugin_components.hpp"

#include <optional>
#include <utility>

#include "core/registry/calls/call_context.hpp"
#include "slipway/detail/components_thunks.hpp"

namespace slipway::registry {

namespace {

slipway_component_query query_view(const ComponentQuery& query) {
  auto out = abi::sized<slipway_component_query>();
  out.file = abi::view_or_absent(query.file);
  out.name = abi::view_or_absent(query.name);
  return out;
}

}  // namespace

std::vector<ComponentInfo> PluginComponents::list(const ComponentQuery& query) const {
  std::vector<ComponentInfo> out;
  Callback on_component(
      [&](const slipway_component_info* info) { out.push_back(abi::read(*info)); });
  const slipway_component_query selected = query_view(query);
  const slipway_call call = call_context(nullptr);
  object_.call("list", on_component, [&](slipway_error* err) {
    return object_.table().list(object_.get(), &call, &selected, on_component, &on_component, err);
  });
  return out;
}

AppDef PluginComponents::build(std::string_view name, const Cfg& args,
                               std::string_view file) const {
  std::optional<AppDef> out;
  Callback on_app([&](const slipway_app_def* app) { out = abi::read(*app); });
  const abi::CfgView view(args);
  auto order = abi::sized<slipway_component_order>();
  if (!file.empty()) order.file = abi::view(file);
  order.name = abi::view(name);
  order.args = view.get();
  const slipway_call call = call_context(nullptr);
  object_.call("build", on_app, [&](slipway_error* err) {
    return object_.table().build(object_.get(), &call, &order, on_app, &on_app, err);
  });
  if (!out) throw Error(Code::kAbi, "build succeeded without an app", {}, object_.plugin_id());
  return *std::move(out);
}

std::vector<ComponentProblem> PluginComponents::check(const ComponentQuery& query) const {
  const auto function = object_.need(&slipway_components_vtbl::check, "check source files");
  std::vector<ComponentProblem> out;
  Callback on_problem(
      [&](const slipway_component_problem* problem) { out.push_back(abi::read(*problem)); });
  const slipway_component_query selected = query_view(query);
  const slipway_call call = call_context(nullptr);
  object_.call("check", on_problem, [&](slipway_error* err) {
    return function(object_.get(), &call, &selected, on_problem, &on_problem, err);
  });
  return out;
}

}  // namespace slipway::registry
