#include "core/config/argument_text.hpp"

#include "core/spec/toml_text.hpp"

namespace slipway::config {
namespace {

using spec::Node;
using spec::NodeType;

// Returns the text of a value, or nullopt for lists, tables and dates.
std::optional<std::string> scalar_text(const Node& value) {
  switch (value.type) {
    case NodeType::kString: return value.text;
    case NodeType::kBool:
    case NodeType::kInt:
    case NodeType::kFloat: return spec::toml_text(value);
    default: return std::nullopt;
  }
}

// Adds a problem with the setting.
void refuse(const Setting& setting, std::string message, std::vector<spec::Problem>& problems) {
  problems.push_back(problem_of(setting, std::move(message)));
}

}  // namespace

std::optional<std::string> argument_text(const Setting& setting,
                                         std::vector<spec::Problem>& problems) {
  std::optional<std::string> text;
  if (!setting.defect.empty()) {
    refuse(setting, setting.defect, problems);
  } else if (text = scalar_text(setting.value); !text) {
    refuse(setting, "expected a string, number or boolean, found " + spec::describe(setting.value),
           problems);
  }
  return text;
}

std::optional<Value> argument_value(const Setting& setting, std::vector<spec::Problem>& problems) {
  const Node& value = setting.value;
  const bool is_list = value.type == NodeType::kList;
  if (!setting.defect.empty() || (!is_list && value.type != NodeType::kTable)) {
    auto text = argument_text(setting, problems);
    return text ? std::optional<Value>(std::move(*text)) : std::nullopt;
  }
  constexpr const char* kPlain = "expected items that are strings, numbers or booleans, found ";
  StrList list;
  for (const Node& item : value.items) {
    auto text = scalar_text(item);
    if (!text) {
      refuse(setting, kPlain + spec::toml_text(item), problems);
      return std::nullopt;
    }
    list.push_back(std::move(*text));
  }
  StrDict table;
  for (const spec::NodeEntry& entry : value.entries) {
    auto text = scalar_text(entry.value);
    if (!text) {
      refuse(setting, kPlain + spec::toml_key(entry.key) + " = " + spec::toml_text(entry.value),
             problems);
      return std::nullopt;
    }
    set(table, entry.key, std::move(*text));
  }
  return is_list ? Value(std::move(list)) : Value(std::move(table));
}

}  // namespace slipway::config
