#include "tests/vectors/kinds/option_case.hpp"

#include <cmath>

#include "core/cli/json_output.hpp"
#include "core/components/run_request.hpp"

namespace slipway::vectors {

ValueType option_type(std::string_view name) {
  if (name == "List[str]" || name == "list[str]") return ValueType::kList;
  if (name == "Dict[str,str]" || name == "dict[str,str]") return ValueType::kDict;
  for (const ValueType type :
       {ValueType::kStr, ValueType::kInt, ValueType::kFloat, ValueType::kBool}) {
    if (name == to_string(type)) return type;
  }
  throw BenchError("unknown type " + std::string(name));
}

Dict<Value> request_options(const std::string& options_json) {
  const std::string request =
      R"({"component_name": "c", "scheduler": "s", "scheduler_args": )" + options_json + "}";
  return components::parse_run_request(request, "case").scheduler_args;
}

Dict<Value> request_options(const json::value& options) {
  return request_options(json::serialize(options));
}

RunOpts declared_options(const VectorCase& one) {
  RunOpts out;
  for (const json::value& item : member(one.input, "opts").as_array()) {
    const json::object& given = item.as_object();
    RunOpt option;
    option.name = text_member(given, "name");
    option.type = option_type(text_member(given, "type"));
    option.help = text_member(given, "help");
    if (const json::value* required = given.if_contains("required"))
      option.required = required->as_bool();
    if (const json::value* value = given.if_contains("default"))
      option.default_value = request_options(json::object{{option.name, *value}}).front().second;
    out.add(std::move(option));
  }
  return out;
}

json::value vector_json(const Value& value) {
  if (const double* real = std::get_if<double>(&value); real != nullptr && !std::isfinite(*real))
    return json::object{{"$float", std::isnan(*real) ? "nan" : *real > 0 ? "inf" : "-inf"}};
  return cli::value_json(value);
}

json::object vector_json(const Dict<Value>& values) {
  json::object out;
  for (const auto& [name, value] : values) out[name] = vector_json(value);
  return out;
}

}  // namespace slipway::vectors
