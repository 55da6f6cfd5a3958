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

}  // namespace

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
  constexpr const char* kPlain = "expected items that are plain values without commas, found ";
  for (const Node& item : value.items) {
    if (!add({}, item)) return refuse(kPlain + spec::toml_text(item));
  }
  for (const spec::NodeEntry& entry : value.entries) {
    if (!add(entry.key + "=", entry.value))
      return refuse(kPlain + spec::toml_key(entry.key) + " = " + spec::toml_text(entry.value));
  }
  return out;
}

}  // namespace slipway::config
