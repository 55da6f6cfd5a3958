#include "core/registry/objects/plugin_resources.hpp"

#include <utility>

#include "core/registry/calls/call_context.hpp"
#include "core/spec/name_rule.hpp"
#include "core/spec/problem.hpp"
#include "slipway/detail/app_views.hpp"

namespace slipway::registry {

namespace {

// Returns a callback that appends each resource to `out`. Its errors name the plug-in.
auto append_to(Dict<Resource>& out, const std::string& plugin_id) {
  return Callback([&](const slipway_named_resource* given) {
    const slipway_named_resource named = abi::widen(given);
    std::string text = abi::str(named.name);
    if (named.resource == nullptr)
      throw Error(Code::kAbi, "the resource " + spec::quoted(text) + " is NULL", {}, plugin_id);
    if (const std::string fault = spec::hidden_fault(text); !fault.empty()) {
      throw Error(Code::kInvalid, "the name " + spec::quoted(text) + " of a resource " + fault, {},
                  plugin_id);
    }
    out.emplace_back(std::move(text), abi::read(*named.resource));
  });
}

}  // namespace

Dict<Resource> PluginResources::list() const {
  Dict<Resource> out;
  auto on_resource = append_to(out, object_.plugin_id());
  const slipway_call call = call_context(nullptr);
  object_.call("list", on_resource, [&](slipway_error* err) {
    return object_.table().list(object_.get(), &call, on_resource, &on_resource, err);
  });
  return out;
}

std::optional<Resource> PluginResources::get(std::string_view name) const {
  if (object_.has(&slipway_named_resources_vtbl::get)) {
    Dict<Resource> out;
    auto on_resource = append_to(out, object_.plugin_id());
    const slipway_call call = call_context(nullptr);
    object_.call("get", on_resource, [&](slipway_error* err) {
      return object_.table().get(object_.get(), &call, abi::view(name), on_resource, &on_resource,
                                 err);
    });
    return out.empty() ? std::nullopt : std::optional<Resource>(std::move(out.front().second));
  }
  const Dict<Resource> all = list();
  const Resource* found = find(all, name);
  return found != nullptr ? std::optional<Resource>(*found) : std::nullopt;
}

}  // namespace slipway::registry
