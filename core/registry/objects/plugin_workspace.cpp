#include "core/registry/objects/plugin_workspace.hpp"

#include <optional>

#include "slipway/detail/workspace_thunks.hpp"

namespace slipway::registry {

namespace {

using Object = PluginObject<slipway_workspace, slipway_workspace_vtbl>;

template <class Function>
WorkspaceResult ask(const Object& object, Function function, const char* name,
                    const WorkspaceOrder& order, const slipway_cancel* cancel) {
  const slipway_call call = call_context(cancel);
  const slipway_workspace_order view = abi::view_of(order);
  std::optional<WorkspaceResult> out;
  Callback on_result([&](const slipway_workspace_result* result) { out = abi::read(*result); });
  object.call(name, on_result, [&](slipway_error* err) {
    return function(object.get(), &call, &view, on_result, &on_result, err);
  });
  if (!out)
    throw Error(Code::kAbi, std::string(name) + " succeeded without a result", {},
                object.plugin_id());
  return *std::move(out);
}

}  // namespace

WorkspaceResult PluginWorkspace::plan(const WorkspaceOrder& order,
                                      const slipway_cancel* cancel) const {
  return ask(object_, object_.table().plan, "plan", order, cancel);
}

WorkspaceResult PluginWorkspace::build(const WorkspaceOrder& order,
                                       const slipway_cancel* cancel) const {
  return ask(object_, object_.table().build, "build", order, cancel);
}

void PluginWorkspace::discard(std::string_view image) const {
  if (!object_.has(&slipway_workspace_vtbl::discard)) return;
  // Without cancellation and deadline, so that neither ^C nor the call limit stops the deletion.
  const auto call = abi::sized<slipway_call>();
  object_.call("discard", [&](slipway_error* err) {
    return object_.table().discard(object_.get(), &call, abi::view(image), err);
  });
}

}  // namespace slipway::registry
