#include "sdk/support/value_text.hpp"

#include <cmath>

#include "sdk/support/ascii_case.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/python_numbers.hpp"
#include "slipway/json_text.hpp"

namespace slipway {

namespace {

template <class Number>
std::optional<Value> value_of(const std::optional<Number>& number) {
  return number ? std::optional<Value>(*number) : std::nullopt;
}

// Returns the pieces between separators, including empty ones.
std::vector<std::string_view> items_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t end = text.find_first_of(",;");
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

// Omits empty items, as TorchX does.
Value list_of(std::string_view text) {
  StrList out;
  for (const std::string_view item : items_of(text)) {
    if (!item.empty()) out.emplace_back(item);
  }
  return out;
}

// Returns nullopt if an item has no colon, which TorchX refuses too.
std::optional<Value> dict_of(std::string_view text) {
  StrDict out;
  for (const std::string_view item : items_of(text)) {
    const std::size_t colon = item.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    set(out, item.substr(0, colon), std::string(item.substr(colon + 1)));
  }
  return Value(std::move(out));
}

}  // namespace

std::optional<Value> scalar_value(ValueType type, std::string_view text) {
  switch (type) {
    case ValueType::kStr: return Value(std::string(text));
    case ValueType::kInt: return value_of(integer_from(text));
    case ValueType::kFloat: return value_of(real_from(text));
    case ValueType::kBool: return Value(lower_case(text) == "true");
    case ValueType::kList:
    case ValueType::kDict:
    case ValueType::kNone: break;
  }
  return std::nullopt;
}

std::optional<Value> run_option_value(ValueType type, std::string_view text) {
  if (type == ValueType::kList) return list_of(text);
  if (type == ValueType::kDict) return dict_of(text);
  return scalar_value(type, text);
}

std::string to_text(const Value& value) {
  switch (type_of(value)) {
    case ValueType::kStr: return std::get<std::string>(value);
    case ValueType::kInt: return std::to_string(std::get<std::int64_t>(value));
    case ValueType::kFloat: return float_text(std::get<double>(value));
    case ValueType::kBool: return std::get<bool>(value) ? "true" : "false";
    case ValueType::kList: return joined(std::get<StrList>(value), ",");
    case ValueType::kDict:
      return joined(std::get<StrDict>(value), ",",
                    [](const auto& entry) { return entry.first + ':' + entry.second; });
    case ValueType::kNone: break;
  }
  return {};
}

std::string json_text(const Value& value) {
  switch (type_of(value)) {
    case ValueType::kStr: return json_quote(std::get<std::string>(value));
    case ValueType::kFloat: return std::isfinite(std::get<double>(value)) ? to_text(value) : "null";
    case ValueType::kList: return '[' + joined(std::get<StrList>(value), ",", json_quote) + ']';
    case ValueType::kDict: {
      const auto entry_text = [](const auto& entry) {
        return json_quote(entry.first) + ':' + json_quote(entry.second);
      };
      return '{' + joined(std::get<StrDict>(value), ",", entry_text) + '}';
    }
    case ValueType::kNone: return "null";
    case ValueType::kInt:
    case ValueType::kBool: break;
  }
  return to_text(value);
}

}  // namespace slipway
