#include "core/registry/objects/plugin_resources.hpp"

#include <utility>

#include "core/spec/name_rule.hpp"
#include "core/spec/problem.hpp"
#include "slipway/detail/app_views.hpp"

namespace slipway::registry {

namespace {

struct CollectedResources : CallbackState {
  Dict<Resource> out;
};

slipway_status on_resource(void* ctx, slipway_str name, const slipway_resource* resource) {
  auto& to = *static_cast<CollectedResources*>(ctx);
  return to.run([&] {
    std::string text = abi::str(name);
    if (const std::string fault = spec::hidden_fault(text); !fault.empty())
      throw Error(Code::kInvalid, "the name " + spec::quoted(text) + " of a resource " + fault);
    to.out.emplace_back(std::move(text), abi::read(*resource));
  });
}

}  // namespace

Dict<Resource> PluginResources::list() const {
  const auto function = object_.need(&slipway_named_resources_vtbl::list, "list its resources");
  CollectedResources state;
  object_.call("list", state, [&](slipway_error* err) {
    return function(object_.get(), &on_resource, &state, err);
  });
  return std::move(state.out);
}

std::optional<Resource> PluginResources::get(std::string_view name) const {
  CollectedResources state;
  if (object_.has(&slipway_named_resources_vtbl::get)) {
    object_.call("get", state, [&](slipway_error* err) {
      return object_.table().get(object_.get(), abi::view(name), &on_resource, &state, err);
    });
    return state.out.empty() ? std::nullopt
                             : std::optional<Resource>(std::move(state.out.front().second));
  }
  const Dict<Resource> all = list();
  const Resource* found = find(all, name);
  return found != nullptr ? std::optional<Resource>(*found) : std::nullopt;
}

}  // namespace slipway::registry
