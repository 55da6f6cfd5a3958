#include "tests/vectors/kinds/component_info.hpp"

#include <cmath>
#include <limits>

#include "core/cli/output/json_output.hpp"
#include "core/components/argument_value.hpp"

namespace slipway::vectors {
namespace {

bool starts_with(const std::string& text, std::string_view start) {
  return text.compare(0, start.size(), start) == 0;
}

double special_float(const std::string& name) {
  if (name == "inf") return std::numeric_limits<double>::infinity();
  if (name == "-inf") return -std::numeric_limits<double>::infinity();
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  throw BenchError("unknown float " + name);
}

std::string text_of(const json::value& value) {
  return value.is_string() ? std::string(std::string_view(value.get_string()))
                           : json::serialize(value);
}

}  // namespace

ValueType type_of_annotation(const std::string& annotation) {
  constexpr std::string_view kOptional = "Optional[";
  constexpr std::string_view kOrNone = " | None";
  if (starts_with(annotation, kOptional) && annotation.back() == ']')
    return type_of_annotation(
        annotation.substr(kOptional.size(), annotation.size() - kOptional.size() - 1));
  if (annotation.size() > kOrNone.size() &&
      annotation.substr(annotation.size() - kOrNone.size()) == kOrNone)
    return type_of_annotation(annotation.substr(0, annotation.size() - kOrNone.size()));
  for (const ValueType type :
       {ValueType::kStr, ValueType::kInt, ValueType::kFloat, ValueType::kBool}) {
    if (annotation == to_string(type)) return type;
  }
  if (starts_with(annotation, "List[") || starts_with(annotation, "list[")) return ValueType::kList;
  if (starts_with(annotation, "Dict[") || starts_with(annotation, "dict[")) return ValueType::kDict;
  return components::type_named(annotation);
}

Value to_value(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null: return std::monostate{};
    case json::kind::bool_: return value.get_bool();
    case json::kind::int64: return value.get_int64();
    case json::kind::double_: return value.get_double();
    case json::kind::string: return text_of(value);
    case json::kind::array: return texts(value);
    case json::kind::object: {
      const json::object& object = value.get_object();
      if (const json::value* special = object.if_contains("$float"))
        return special_float(text_of(*special));
      StrDict out;
      for (const auto& entry : object) set(out, entry.key(), text_of(entry.value()));
      return out;
    }
    case json::kind::uint64: break;
  }
  throw BenchError("no argument: " + json::serialize(value));
}

json::value from_value(const Value& value) {
  const double* real = std::get_if<double>(&value);
  if (real == nullptr || std::isfinite(*real)) return cli::value_json(value);
  return json::object{{"$float", std::isnan(*real) ? "nan" : *real > 0 ? "inf" : "-inf"}};
}

ComponentInfo component_of(const json::array& params) {
  ComponentInfo info;
  info.name = "component";
  for (const json::value& item : params) {
    const json::object& from = item.as_object();
    ComponentParam& param = info.params.emplace_back();
    param.name = text_member(from, "name");
    param.variadic = text_member(from, "kind") == "var_positional";
    param.type = type_of_annotation(text_of(member(from, "type")));
    const json::value* default_value = from.if_contains("default");
    if (default_value != nullptr) param.default_value = to_value(*default_value);
    param.required = default_value == nullptr && !param.variadic;
    // The annotation of the variadic parameter is the type of one item.
    if (!param.variadic) continue;
    if (param.type != ValueType::kStr) throw BenchError("a variadic parameter of other than str");
    param.type = ValueType::kList;
  }
  return info;
}

}  // namespace slipway::vectors
