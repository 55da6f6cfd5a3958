#include "sdk/check/host/component_calls.hpp"

#include <cstddef>
#include <set>
#include <utility>

#include "sdk/check/host/checked_callback.hpp"
#include "sdk/check/host/samples.hpp"
#include "slipway/detail/option_views.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

struct ComponentSink {
  std::vector<Component> components;
  std::string malformed;  // a defect of a component; empty if there is none

  static slipway_status take(void* self, const slipway_component_info* given) {
    auto& sink = *static_cast<ComponentSink*>(self);
    const slipway_component_info info = abi::widen(given);
    Component out;
    out.name = abi::str(info.name);
    const auto complain = [&](const std::string& what) {
      sink.malformed = "component \"" + out.name + "\" " + what;
    };
    if (out.name.empty()) complain("has no name");
    std::set<std::string> names;
    for (std::size_t i = 0; i < info.params.count; ++i) {
      const auto param = abi::widen(SLIPWAY_AT(info.params, slipway_component_param, i));
      const std::string name = abi::str(param.name);
      const std::string which = "has a parameter \"" + name + "\" ";
      if (name.empty() || !names.insert(name).second) complain(which + "without a unique name");
      if (param.type < SLIPWAY_TYPE_STR || param.type > SLIPWAY_TYPE_DICT)
        complain(which + "of an unknown type");
      if (param.variadic != 0 && (i + 1 != info.params.count || param.type != SLIPWAY_TYPE_LIST))
        complain(which + "that is variadic, but is not the last one or not a list");
      auto given_default = abi::sized<slipway_cfg_entry>();
      given_default.type = SLIPWAY_TYPE_NONE;
      // The host reads a default of type NONE as no default.
      if (param.default_value != nullptr) given_default = abi::widen(param.default_value);
      if (given_default.type != SLIPWAY_TYPE_NONE) {
        if (param.required != 0) complain(which + "that is required and has a default");
        if (given_default.type != param.type) complain(which + "with a default of another type");
        out.args.set(name, abi::read(given_default));
      } else if (param.required != 0 || param.variadic != 0) {
        // Many components need a word in their variadic parameter, such as a program.
        out.args.set(name, sample_value(abi::read_type(param.type)));
      }
    }
    sink.components.push_back(std::move(out));
    return SLIPWAY_OK;
  }
};

}  // namespace

std::vector<Component> all_components(const Instance& instance) {
  ComponentSink sink;
  slipway_error error;
  GuardedMemory memory;
  const auto* query = memory.object(abi::sized<slipway_component_query>());
  memory.seal();
  instance.trial().progress.step("list");
  const slipway_status status = instance.components()->vtbl->list(
      instance.components(), plain_call(), query, kChecked<&ComponentSink::take>, &sink, &error);
  require_ok("list", status, error);
  require(sink.malformed.empty(), sink.malformed);
  return sink.components;
}

}  // namespace slipway::check
