// Converts a component's command line, config defaults and JSON values to typed arguments by its
// signature. The component is a Python function with that signature, which returns its arguments.

#include "core/components/arguments.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/argument_json.hpp"
#include "tests/vectors/kinds/python_component.hpp"

namespace slipway::vectors {
namespace {

constexpr const char* kHead = R"(import json
import math
from typing import *
from torchx.specs import AppDef, Role


def plain(value):
    if isinstance(value, float) and not math.isfinite(value):
        return {"$float": str(value)}
    return value


)";

std::string python_literal(const json::value& value) {
  if (value.is_null()) return "None";
  if (value.is_bool()) return value.get_bool() ? "True" : "False";
  return json::serialize(value);
}

// Returns a signature such as `(x: int = 1, *args: str, y: str)`.
std::string signature(const json::array& params) {
  std::string out;
  bool only_keywords = false;
  for (const json::value& item : params) {
    const json::object& param = item.as_object();
    const std::string kind = text_member(param, "kind");
    const bool is_variadic = kind == "var_positional";
    if (!out.empty()) out += ", ";
    if (kind == "keyword_only" && !only_keywords) out += "*, ";
    only_keywords = only_keywords || is_variadic || kind == "keyword_only";
    out += (is_variadic ? "*" : "") + text_member(param, "name");
    if (const json::value& type = param.at("type"); !type.is_null())
      out += ": " + std::string(std::string_view(type.as_string()));
    if (const json::value* standard = param.if_contains("default"))
      out += " = " + python_literal(*standard);
  }
  return "(" + out + ")";
}

std::string source_of(const json::array& params) {
  std::string positional;
  std::string keywords;
  std::string rest = "[]";
  for (const json::value& item : params) {
    const json::object& param = item.as_object();
    const std::string name = text_member(param, "name");
    const std::string kind = text_member(param, "kind");
    if (kind == "var_positional") {
      rest = "list(" + name + ")";
    } else {
      (kind == "keyword_only" ? keywords : positional) += "'" + name + "': plain(" + name + "), ";
    }
  }
  return kHead + ("def component" + signature(params)) + " -> AppDef:\n    got = {'positional': {" +
         positional + "}, 'var_args': " + rest + ", 'kwargs': {" + keywords +
         "}}\n    return AppDef('a', [Role('r', image='', args=[json.dumps(got)])])\n";
}

}  // namespace

json::value run_builders(VectorCase& one, Bench& bench) {
  const PythonComponent component(bench, source_of(member(one.input, "params").as_array()));
  const ComponentInfo info = component.info("component");
  components::ArgumentSources sources;
  sources.words = texts(member(one.input, "args"));
  if (const json::value* defaults = one.input.if_contains("defaults")) {
    for (const auto& entry : defaults->as_object())
      set(sources.defaults, entry.key(), Value(text_member(defaults->as_object(), entry.key())));
  }
  if (const json::value* values = one.input.if_contains("config")) {
    for (const auto& entry : values->as_object())
      set(sources.values, entry.key(), to_value(entry.value()));
  }
  const AppDef app =
      component.build("component", components::parse_arguments(info, sources).values);
  return json::parse(app.roles.at(0).args.at(0));
}

}  // namespace slipway::vectors
