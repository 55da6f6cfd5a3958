#include "plugins/python_components/component_json.hpp"

#include <utility>

namespace slipway::python {

namespace {

namespace json = boost::json;

std::string text_at(const json::object& object, std::string_view key) {
  return std::string(std::string_view(object.at(key).as_string()));
}

bool flag_at(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

ValueType type_named(std::string_view name) {
  if (name == "int") return ValueType::kInt;
  if (name == "float") return ValueType::kFloat;
  if (name == "bool") return ValueType::kBool;
  if (name == "list") return ValueType::kList;
  return name == "dict" ? ValueType::kDict : ValueType::kStr;
}

Value default_of(const json::object& param, ValueType type) {
  const json::value* value = param.if_contains("default");
  if (value == nullptr || value->is_null()) return {};
  switch (type) {
    case ValueType::kInt: return value->to_number<std::int64_t>();
    case ValueType::kFloat: return value->to_number<double>();
    case ValueType::kBool: return value->as_bool();
    case ValueType::kList: {
      StrList out;
      for (const json::value& item : value->as_array()) out.emplace_back(item.as_string());
      return out;
    }
    case ValueType::kDict: {
      StrDict out;
      for (const auto& entry : value->as_object())
        out.emplace_back(std::string(entry.key()), std::string(entry.value().as_string()));
      return out;
    }
    case ValueType::kStr:
    case ValueType::kNone: break;
  }
  return std::string(std::string_view(value->as_string()));
}

ComponentParam param_of(const json::object& object) {
  ComponentParam out;
  out.name = text_at(object, "name");
  out.type = type_named(text_at(object, "type"));
  out.help = text_at(object, "help");
  out.required = flag_at(object, "required");
  out.variadic = flag_at(object, "variadic");
  out.default_value = default_of(object, out.type);
  return out;
}

json::value value_json(const Value& value) {
  switch (type_of(value)) {
    case ValueType::kStr: return json::value(std::get<std::string>(value));
    case ValueType::kInt: return std::get<std::int64_t>(value);
    case ValueType::kFloat: return std::get<double>(value);
    case ValueType::kBool: return std::get<bool>(value);
    case ValueType::kList: return json::value_from(std::get<StrList>(value));
    case ValueType::kDict: {
      json::object out;
      for (const auto& [key, item] : std::get<StrDict>(value)) out[key] = item;
      return out;
    }
    case ValueType::kNone: break;
  }
  return nullptr;
}

}  // namespace

std::vector<PythonComponent> read_components(const json::object& answer) {
  std::vector<PythonComponent> out;
  for (const json::value& each : answer.at("components").as_array()) {
    const json::object& object = each.as_object();
    PythonComponent& component = out.emplace_back();
    component.info.name = text_at(object, "name");
    component.info.help = text_at(object, "help");
    component.is_public = flag_at(object, "public");
    component.problems = read_problems(object.at("problems"));
    for (const json::value& param : object.at("params").as_array())
      component.info.params.push_back(param_of(param.as_object()));
  }
  return out;
}

std::vector<ComponentProblem> read_problems(const json::value& problems) {
  std::vector<ComponentProblem> out;
  for (const json::value& each : problems.as_array()) {
    const json::object& object = each.as_object();
    out.push_back({object.at("line").to_number<std::uint32_t>(),
                   object.at("column").to_number<std::uint32_t>(), text_at(object, "message"),
                   text_at(object, "hint")});
  }
  return out;
}

json::object arguments_json(const Cfg& args) {
  json::object out;
  for (const auto& [name, value] : args.values()) out[name] = value_json(value);
  return out;
}

}  // namespace slipway::python
