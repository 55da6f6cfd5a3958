#include "core/config/value_text.hpp"

#include <algorithm>

#include "sdk/support/python_numbers.hpp"
#include "slipway/json_text.hpp"

namespace slipway::config {

namespace {

using spec::Node;
using spec::NodeType;

std::string bracketed(const std::string& inside) { return "[" + inside + "]"; }
std::string braced(const std::string& inside) {
  return inside.empty() ? "{}" : "{ " + inside + " }";
}

void append_item(std::string& list, const std::string& item) {
  if (!list.empty()) list += ", ";
  list += item;
}

// Returns the text of a value, or nullopt for lists, tables and dates.
std::optional<std::string> scalar_text(const Node& value) {
  switch (value.type) {
    case NodeType::kString: return value.text;
    case NodeType::kBool: return value.boolean ? "true" : "false";
    case NodeType::kInt: return std::to_string(value.integer);
    case NodeType::kFloat: return float_text(value.real);
    default: return std::nullopt;
  }
}

}  // namespace

std::string toml_key(const std::string& name) {
  const auto bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), bare) ? name : json_quote(name);
}

std::string toml_text(const Node& value) {
  std::string inside;
  switch (value.type) {
    case NodeType::kString: return json_quote(value.text);
    case NodeType::kList:
      for (const Node& item : value.items) append_item(inside, toml_text(item));
      return bracketed(inside);
    case NodeType::kTable:
      for (const spec::NodeEntry& entry : value.entries)
        append_item(inside, toml_key(entry.key) + " = " + toml_text(entry.value));
      return braced(inside);
    case NodeType::kDateTime:
    case NodeType::kBigInt: return value.text;
    default: return scalar_text(value).value_or(std::string());
  }
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
      return braced(inside);
    case ValueType::kNone: break;
  }
  return {};
}

std::optional<std::string> argument_text(const Setting& setting,
                                         std::vector<spec::Problem>& problems) {
  const auto refuse = [&](std::string message) {
    problems.push_back(problem_of(setting, std::move(message)));
    return std::nullopt;
  };
  if (!setting.defect.empty()) return refuse(setting.defect);
  const Node& value = setting.value;
  if (value.type != NodeType::kList && value.type != NodeType::kTable) {
    if (auto text = scalar_text(value)) return text;
    return refuse("expected a string, number, boolean, list or table, found " +
                  spec::describe(value));
  }
  std::string out;
  const auto add = [&](const std::string& prefix, const Node& item) {
    const std::optional<std::string> text = scalar_text(item);
    if (!text || (prefix + *text).find(',') != std::string::npos) return false;
    out += (out.empty() ? "" : ",") + prefix + *text;
    return true;
  };
  constexpr const char* kPlain = "expected plain values without commas in it, found ";
  for (const Node& item : value.items) {
    if (!add({}, item)) return refuse(kPlain + toml_text(item));
  }
  for (const spec::NodeEntry& entry : value.entries) {
    if (!add(entry.key + "=", entry.value))
      return refuse(kPlain + toml_key(entry.key) + " = " + toml_text(entry.value));
  }
  return out;
}

}  // namespace slipway::config
