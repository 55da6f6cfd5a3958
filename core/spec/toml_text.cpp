#include "core/spec/toml_text.hpp"

#include <algorithm>

#include "sdk/support/python_numbers.hpp"
#include "slipway/json_text.hpp"

namespace slipway::spec {
namespace {

void append_item(std::string& list, const std::string& item) {
  if (!list.empty()) list += ", ";
  list += item;
}

std::string bracketed(const std::string& inside) { return "[" + inside + "]"; }

}  // namespace

std::string toml_braces(const std::string& inside) {
  return inside.empty() ? "{}" : "{ " + inside + " }";
}

bool is_bare_key(std::string_view name) {
  const auto bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), bare);
}

std::string toml_key(const std::string& name) {
  return is_bare_key(name) ? name : json_quote(name);
}

std::string toml_text(const Node& value) {
  std::string inside;
  switch (value.type) {
    case NodeType::kString: return json_quote(value.text);
    case NodeType::kList:
      for (const Node& item : value.items) append_item(inside, toml_text(item));
      return bracketed(inside);
    case NodeType::kTable:
      for (const NodeEntry& entry : value.entries)
        append_item(inside, toml_key(entry.key) + " = " + toml_text(entry.value));
      return toml_braces(inside);
    case NodeType::kBool: return value.boolean ? "true" : "false";
    case NodeType::kInt: return std::to_string(value.integer);
    case NodeType::kFloat: return float_text(value.real);
    case NodeType::kDateTime:
    case NodeType::kBigInt: return value.text;
    case NodeType::kNull: break;
  }
  return {};
}

std::string toml_text(const Value& value) {
  std::string inside;
  switch (type_of(value)) {
    case ValueType::kStr: return json_quote(std::get<std::string>(value));
    case ValueType::kInt: return std::to_string(std::get<std::int64_t>(value));
    case ValueType::kFloat: return float_text(std::get<double>(value));
    case ValueType::kBool: return std::get<bool>(value) ? "true" : "false";
    case ValueType::kList:
      for (const std::string& item : std::get<StrList>(value))
        append_item(inside, json_quote(item));
      return bracketed(inside);
    case ValueType::kDict:
      for (const auto& [key, item] : std::get<StrDict>(value))
        append_item(inside, toml_key(key) + " = " + json_quote(item));
      return toml_braces(inside);
    case ValueType::kNone: break;
  }
  return {};
}

}  // namespace slipway::spec
