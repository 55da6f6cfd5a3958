#include "core/cli/commands/setting_row.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/cli/invocation/configuration.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/secrets.hpp"
#include "core/runner/run_record_json.hpp"
#include "core/spec/secret_names.hpp"
#include "core/spec/toml_text.hpp"

namespace slipway::cli {

namespace {

namespace json = boost::json;

/// Returns the value as TOML, or "none" for an option without a value.
std::string text_of(const Value& value) {
  return type_of(value) == ValueType::kNone ? "none" : spec::toml_text(value);
}

json::value node_json(const spec::Node& node) {
  std::string text;
  spec::append_json(node, text);
  return json::parse(text);
}

/// Returns the text of a value without the quotes that a redacted one would have.
std::string shown_text_of(std::string text) {
  return text == spec::toml_text(Value(std::string(kRedacted))) ? std::string(kRedacted) : text;
}

/// Returns a key without the blanks and quotes that to_dict() (core/spec/key_values.hpp) removes.
std::string_view bare_key(std::string_view key) {
  constexpr const char* kAround = " \t'\"";
  const std::size_t start = key.find_first_not_of(kAround);
  if (start == std::string_view::npos) return {};
  return key.substr(start, key.find_last_not_of(kAround) + 1 - start);
}

/// Returns whether run options in one text, as in SLIPWAY_CFG, include a secret: `a=1,api_token=x`.
/// Also splits a value at its commas, which is harmless, because its parts have no names.
bool holds_secret_option(std::string_view text) {
  while (!text.empty()) {
    const std::string_view option = text.substr(0, text.find_first_of(",;"));
    const std::size_t equals = option.find('=');
    if (equals != std::string_view::npos &&
        spec::is_secret_name(bare_key(option.substr(0, equals))))
      return true;
    text.remove_prefix(std::min(option.size() + 1, text.size()));
  }
  return false;
}

/// Redacts the secrets in the value of a setting.
void redact(const config::SettingKey& key, spec::Node& value) {
  if (key.section == config::Section::kRunOptions && holds_secret_option(value.text)) {
    value.text = kRedacted;
  } else {
    spec::redact_secrets(value, key.option);
  }
}

}  // namespace

SettingRow row_of(const Invocation& invocation, const config::Setting& setting) {
  spec::Node value = setting.value;
  if (!invocation.options().show_secrets) redact(setting.key, value);
  return {setting.key,      shown_text_of(spec::toml_text(value)),
          node_json(value), config::to_string(setting.layer),
          setting.where,    setting.profile,
          setting.locked};
}

SettingRow row_of(const Invocation& invocation, const std::string& scheduler,
                  const std::string& name, const Value& value, const config::Setting* from) {
  SettingRow row;
  row.key = {config::Section::kScheduler, scheduler, name};
  Value shown = value;
  if (!invocation.options().show_secrets) redact_secrets(shown, name);
  row.text = shown_text_of(text_of(shown));
  row.value = value_json(shown);
  row.origin = to_string(from != nullptr ? from->layer : config::Layer::kDefault);
  if (from != nullptr) {
    row.where = from->where;
    row.profile = from->profile;
    row.locked = from->locked;
  }
  return row;
}

SettingRow default_row(const Invocation& invocation, config::SettingKey key, const Value& value) {
  SettingRow row = row_of(invocation, {}, key.option, value, nullptr);
  row.key = std::move(key);
  return row;
}

SettingRow default_row(const ConfigurableOption& option) {
  const Value value = default_value(option);
  SettingRow row;
  row.key = option.key;
  row.text = text_of(value);
  row.value = value_json(value);
  row.origin = to_string(config::Layer::kDefault);
  return row;
}

std::string origin_text(const SettingRow& row) {
  return row.origin + (row.locked ? ", locked" : "");
}

json::object row_json(const SettingRow& row) {
  const bool in_file = row.where.line > 0;  // the place of a variable or an option has no line
  return {{"value", row.value},
          {"origin", row.origin},
          {"where", text_or_null(to_string(row.where))},
          {"file", in_file ? json::value(row.where.file) : json::value()},
          {"line", in_file ? json::value(row.where.line) : json::value()},
          {"column", in_file ? json::value(row.where.column) : json::value()},
          {"profile", text_or_null(row.profile)},
          {"locked", row.locked}};
}

std::vector<SettingRow> scheduler_rows(Invocation& invocation, const std::string& scheduler,
                                       const RunOpts& declared) {
  const std::vector<ConfiguredOption> configured =
      configured_options(invocation.config(), scheduler, declared);
  std::vector<SettingRow> out;
  for (const RunOpt& option : declared) {
    for (auto layer = configured.rbegin(); layer != configured.rend(); ++layer) {
      if (layer->name == option.name)
        out.push_back(row_of(invocation, scheduler, option.name, layer->value, layer->from));
    }
    out.push_back(row_of(invocation, scheduler, option.name, option.default_value, nullptr));
  }
  return out;
}

}  // namespace slipway::cli
