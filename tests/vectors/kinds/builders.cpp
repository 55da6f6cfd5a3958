// Converts a component's command line, config defaults and JSON values to typed arguments by its
// signature.

#include "core/components/arguments.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/component_info.hpp"

namespace slipway::vectors {

json::value run_builders(VectorCase& one, Bench&) {
  const json::array& params = member(one.input, "params").as_array();
  const ComponentInfo info = component_of(params);
  components::ArgumentSources sources;
  sources.words = texts(member(one.input, "args"));
  if (const json::value* defaults = one.input.if_contains("defaults")) {
    for (const auto& entry : defaults->as_object())
      set(sources.defaults, entry.key(), text_member(defaults->as_object(), entry.key()));
  }
  if (const json::value* values = one.input.if_contains("config")) {
    for (const auto& entry : values->as_object())
      set(sources.values, entry.key(), to_value(entry.value()));
  }
  const Cfg args = components::parse_arguments(info, sources).values;
  json::object positional;
  json::array rest;
  json::object keywords;
  for (const json::value& param : params) {
    const std::string name = text_member(param.as_object(), "name");
    const std::string kind = text_member(param.as_object(), "kind");
    const Value* value = args.find(name);
    if (value == nullptr) throw BenchError("no value for " + name);
    if (kind == "var_positional") {
      rest = from_value(*value).as_array();
    } else if (kind == "keyword_only") {
      keywords[name] = from_value(*value);
    } else {
      positional[name] = from_value(*value);
    }
  }
  return json::object{{"positional", positional}, {"var_args", rest}, {"kwargs", keywords}};
}

}  // namespace slipway::vectors
