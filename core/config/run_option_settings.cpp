#include "core/config/run_option_settings.hpp"

#include <algorithm>
#include <optional>

#include "core/spec/near_name.hpp"
#include "core/spec/other_tools.hpp"
#include "sdk/support/ascii_case.hpp"
#include "sdk/support/python_numbers.hpp"

namespace slipway::config {

namespace {

using spec::Node;
using spec::NodeType;

template <class Number>
std::optional<Value> value_of(const std::optional<Number>& number) {
  return number ? std::optional<Value>(*number) : std::nullopt;
}

std::vector<std::string> split(const std::string& text, const char* separators) {
  std::vector<std::string> out;
  for (std::size_t from = 0;;) {
    const std::size_t end = text.find_first_of(separators, from);
    out.push_back(text.substr(from, end - from));
    if (end == std::string::npos) return out;
    from = end + 1;
  }
}

std::optional<Value> dict(const std::string& text) {
  StrDict out;
  if (text.empty()) return Value(out);
  for (const std::string& item : split(text, ",;")) {
    const std::size_t colon = item.find(':');
    if (colon == std::string::npos) return std::nullopt;
    set(out, item.substr(0, colon), item.substr(colon + 1));
  }
  return Value(std::move(out));
}

/// Returns a text of a .torchxconfig as a value of `type`, or nullopt if it has another type.
std::optional<Value> from_torchx(ValueType type, const std::string& text) {
  if (text == "None") return Value();
  switch (type) {
    case ValueType::kInt: return value_of(integer_from(text));
    case ValueType::kFloat: return value_of(real_from(text));
    case ValueType::kBool: return value_of(torchx_bool(text));
    case ValueType::kList: return Value(split(text, ";"));
    case ValueType::kDict: return dict(text);
    case ValueType::kStr:
    case ValueType::kNone: break;
  }
  return Value(text);
}

std::optional<Value> list_of(const Node& node) {
  StrList out;
  for (const Node& item : node.items) {
    if (item.type != NodeType::kString) return std::nullopt;
    out.push_back(item.text);
  }
  return Value(std::move(out));
}

std::optional<Value> dict_of(const Node& node) {
  StrDict out;
  for (const spec::NodeEntry& entry : node.entries) {
    if (entry.value.type != NodeType::kString) return std::nullopt;
    set(out, entry.key, entry.value.text);
  }
  return Value(std::move(out));
}

const char* toml_form(ValueType type) {
  switch (type) {
    case ValueType::kInt: return "an integer";
    case ValueType::kFloat: return "a number";
    case ValueType::kBool: return "true or false";
    case ValueType::kList: return "a list of strings";
    case ValueType::kDict: return "a table of strings";
    case ValueType::kStr:
    case ValueType::kNone: break;
  }
  return "a string";
}

const char* torchx_form(ValueType type) {
  if (type == ValueType::kDict) return "NAME:VALUE, separated by commas";
  return toml_form(type);
}

/// Returns whether a wrong value is a list or table as expected, so that only its items are wrong.
bool has_wrong_items(ValueType type, const Node& value) {
  return (type == ValueType::kList && value.type == NodeType::kList) ||
         (type == ValueType::kDict && value.type == NodeType::kTable);
}

/// Describes a wrong value, to follow "found".
std::string found_text(const Setting& setting, ValueType type) {
  const Node& node = setting.value;
  if (has_wrong_items(type, node)) return "one with values of another type";
  return setting.notation == Notation::kToml ? spec::describe(node) : spec::quoted(node.text);
}

/// Returns a correction for a value of the wrong type, or an empty text if none is known.
std::string hint_for(const RunOpt& option, const Node& value) {
  const bool is_number = option.type == ValueType::kInt || option.type == ValueType::kFloat;
  if (is_number && value.type == NodeType::kString)
    return spec::hint_for_number(option.name, value.text);
  return has_wrong_items(option.type, value) ? "write each value in quotes" : "";
}

}  // namespace

std::optional<bool> torchx_bool(std::string_view text) {
  const std::string lower = lower_case(text);
  for (const char* word : {"1", "yes", "true", "on"}) {
    if (lower == word) return true;
  }
  for (const char* word : {"0", "no", "false", "off"}) {
    if (lower == word) return false;
  }
  return std::nullopt;
}

std::optional<Value> typed_value(ValueType type, const Node& node) {
  switch (node.type) {
    case NodeType::kString:
      if (type == ValueType::kStr) return Value(node.text);
      break;
    case NodeType::kInt:
      if (type == ValueType::kInt) return Value(node.integer);
      if (type == ValueType::kFloat) return Value(static_cast<double>(node.integer));
      break;
    case NodeType::kFloat:
      if (type == ValueType::kFloat) return Value(node.real);
      break;
    case NodeType::kBool:
      if (type == ValueType::kBool) return Value(node.boolean);
      break;
    case NodeType::kList:
      if (type == ValueType::kList) return list_of(node);
      break;
    case NodeType::kTable:
      if (type == ValueType::kDict) return dict_of(node);
      break;
    default: break;
  }
  return std::nullopt;
}

std::vector<RunOptionSetting> run_option_settings(const Settings& settings,
                                                  const std::string& scheduler,
                                                  const RunOpts& declared,
                                                  std::vector<spec::Problem>& problems,
                                                  const NeedsValue& needs_value) {
  std::vector<RunOptionSetting> out;
  for (const Setting& one : settings.in_order()) {
    const Setting* setting = &one;
    const bool is_of_all = one.key.name == kEveryScheduler;
    if (one.key.section != Section::kScheduler || (one.key.name != scheduler && !is_of_all))
      continue;
    const std::string& name = one.key.option;
    const bool is_of_app = setting->layer == Layer::kApp;
    // The host itself reads `state_dir`, but not from an app file.
    if (name == kStateDir && !is_of_app) continue;
    const auto option = std::find_if(declared.begin(), declared.end(),
                                     [&](const RunOpt& each) { return each.name == name; });
    if (option == declared.end()) {
      if (setting->shared || is_of_all) continue;
      std::vector<std::string> names;
      for (const RunOpt& each : declared) names.push_back(each.name);
      std::string hint = spec::did_you_mean(name, names);
      if (hint.empty()) hint = "`slipway runopts " + scheduler + "` lists the known ones";
      problems.push_back(
          is_of_app ? problem_of(*setting, "the scheduler has no such run option", std::move(hint))
                    : problem_of(*setting,
                                 "the scheduler does not know this run option, which is ignored",
                                 std::move(hint), spec::Severity::kWarning));
      continue;
    }
    if (!setting->defect.empty()) {
      if (!needs_value || needs_value(*setting))
        problems.push_back(problem_of(*setting, setting->defect));
      continue;
    }
    const bool is_toml = setting->notation == Notation::kToml;
    std::optional<Value> value = is_toml ? typed_value(option->type, setting->value)
                                         : from_torchx(option->type, setting->value.text);
    if (!value) {
      problems.push_back(
          problem_of(*setting,
                     std::string("expected ") +
                         (is_toml ? toml_form(option->type) : torchx_form(option->type)) +
                         ", found " + found_text(*setting, option->type),
                     hint_for(*option, setting->value)));
      continue;
    }
    out.push_back({std::move(*value), setting});
  }
  return out;
}

}  // namespace slipway::config
