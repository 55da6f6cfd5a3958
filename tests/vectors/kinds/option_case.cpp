#include "tests/vectors/kinds/option_case.hpp"

#include <cmath>

#include "core/runner/run_record_json.hpp"

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

namespace {

std::string text_item(const json::value& item) {
  if (!item.is_string()) throw Error(Code::kInvalid, "expected a string");
  return std::string(item.get_string());
}

Value option_value(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null: return {};
    case json::kind::bool_: return value.get_bool();
    case json::kind::int64: return value.get_int64();
    case json::kind::double_: return value.get_double();
    case json::kind::string: return std::string(value.get_string());
    case json::kind::array: {
      StrList list;
      for (const json::value& item : value.get_array()) list.push_back(text_item(item));
      return list;
    }
    case json::kind::object: {
      StrDict dict;
      for (const auto& entry : value.get_object())
        set(dict, std::string(entry.key()), text_item(entry.value()));
      return dict;
    }
    case json::kind::uint64: break;
  }
  throw Error(Code::kInvalid, "the integer is out of range");
}

}  // namespace

Dict<Value> option_values(const json::value& options) {
  Dict<Value> out;
  for (const auto& entry : options.as_object())
    set(out, std::string(entry.key()), option_value(entry.value()));
  return out;
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
      option.default_value = option_value(*value);
    out.add(std::move(option));
  }
  return out;
}

json::value vector_json(const Value& value) {
  if (const double* real = std::get_if<double>(&value); real != nullptr && !std::isfinite(*real))
    return json::object{{"$float", std::isnan(*real) ? "nan" : *real > 0 ? "inf" : "-inf"}};
  return value_json(value);
}

json::object vector_json(const Dict<Value>& values) {
  json::object out;
  for (const auto& [name, value] : values) out[name] = vector_json(value);
  return out;
}

}  // namespace slipway::vectors
