#include "core/components/argument_value.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/spec/key_values.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/problem.hpp"
#include "sdk/support/ascii_case.hpp"
#include "sdk/support/value_text.hpp"
#include "slipway/error.hpp"

namespace slipway::components {
namespace {

[[noreturn]] void refuse(ValueType type, std::string_view text) {
  throw Error(Code::kInvalid,
              "expected " + std::string(described(type)) + ", found " + spec::quoted(text));
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\n\r\v\f") == std::string_view::npos;
}

}  // namespace

Value value_of_text(ValueType type, std::string_view text) {
  switch (type) {
    case ValueType::kList:
      if (text.empty()) return std::monostate{};
      return is_blank(text) ? StrList{} : spec::to_list(text);
    case ValueType::kDict:
      if (text.empty()) return std::monostate{};
      return spec::to_dict(text);
    case ValueType::kStr:
    case ValueType::kInt:
    case ValueType::kFloat:
    case ValueType::kBool:
    case ValueType::kNone: break;
  }
  if (const auto value = scalar_value(type, text)) return *value;
  refuse(type, text);
}

bool is_bool_text(std::string_view text) {
  const std::string word = lower_case(text);
  return word == "true" || word == "false";
}

Value value_of_type(ValueType type, Value value) {
  const ValueType given = type_of(value);
  if (given == type || given == ValueType::kNone) return value;
  if (const auto* text = std::get_if<std::string>(&value)) return value_of_text(type, *text);
  if (given == ValueType::kInt && type == ValueType::kFloat)
    return static_cast<double>(std::get<std::int64_t>(value));
  throw Error(Code::kInvalid, "expected " + std::string(described(type)) + ", found " +
                                  std::string(described(given)));
}

ValueType type_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const ValueType type : {ValueType::kStr, ValueType::kInt, ValueType::kFloat,
                               ValueType::kBool, ValueType::kList, ValueType::kDict}) {
    if (name == to_string(type)) return type;
    names.emplace_back(to_string(type));
  }
  const std::string near = spec::did_you_mean(name, names);
  throw Error(Code::kInvalid, "there is no type " + spec::quoted(name),
              near.empty() ? "the types are str, int, float, bool, list and dict" : near);
}

std::string_view described(ValueType type) {
  switch (type) {
    case ValueType::kStr: return "a str";
    case ValueType::kInt: return "an int";
    case ValueType::kFloat: return "a float";
    case ValueType::kBool: return "a bool";
    case ValueType::kList: return "a list";
    case ValueType::kDict: return "a dict";
    case ValueType::kNone: break;
  }
  return "nothing";
}

}  // namespace slipway::components
