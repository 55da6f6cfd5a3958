// `config explain KEY`: prints the value in force, the value of each layer that sets the key, and
// the limits of the site.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/limit_rows.hpp"
#include "core/cli/commands/setting_row.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/text_table.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/config/limits.hpp"
#include "core/registry/manifests/manifest.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/toml_text.hpp"

namespace slipway::cli {

namespace {

using config::Section;
using config::SettingKey;

[[noreturn]] void throw_unknown_key(const std::string& key, const std::vector<std::string>& known) {
  const std::string near = spec::did_you_mean(key, known);
  throw Error(Code::kNotFound, "there is no setting " + spec::quoted(key),
              near.empty() ? "`slipway config show --all` lists all keys" : near);
}

/// The value in force of a key, and the values of all layers, the highest first.
struct Explanation {
  SettingRow in_force;
  std::vector<SettingRow> layers;
};

std::vector<std::string> known_keys(const Invocation& invocation,
                                    const std::vector<ConfigurableOption>& options) {
  std::vector<std::string> out;
  for (const ConfigurableOption& option : options) out.push_back(to_string(option.key));
  for (const config::Setting* setting : invocation.config().in_force())
    out.push_back(to_string(setting->key));
  return out;
}

/// Returns a row for each setting of one of the keys, the highest layer first.
std::vector<SettingRow> layer_rows(const Invocation& invocation, const StrList& keys) {
  std::vector<SettingRow> out;
  const auto& all = invocation.config().in_order();
  for (auto setting = all.rbegin(); setting != all.rend(); ++setting) {
    if (std::find(keys.begin(), keys.end(), to_string(setting->key)) != keys.end())
      out.push_back(row_of(invocation, *setting));
  }
  return out;
}

/// Explains the key `plugins.ID.config`, whose value in force is merged from all layers. Returns
/// nothing for another key, and if no layer has such a table.
std::optional<Explanation> explain_plugin_config(const Invocation& invocation,
                                                 const std::string& key) {
  std::vector<config::Setting> parts;  // one for each layer, the lowest first
  spec::Node in_force;
  for (const config::Setting& setting : invocation.config().in_order()) {
    const SettingKey whole{Section::kPlugin, setting.key.name, "config"};
    if (setting.key.section != Section::kPlugin || setting.key.option == "enabled" ||
        to_string(whole) != key)
      continue;
    const bool is_same_part = !parts.empty() && parts.back().layer == setting.layer &&
                              parts.back().profile == setting.profile &&
                              parts.back().locked == setting.locked;
    if (!is_same_part) {
      parts.push_back(setting);
      parts.back().key = whole;
      parts.back().value = {};
    }
    for (spec::Node* table : {&parts.back().value, &in_force}) {
      table->type = spec::NodeType::kTable;
      registry::merge_config(*table, plugin_config_of(setting));
    }
  }
  if (parts.empty()) return std::nullopt;
  Explanation out;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    out.layers.push_back(row_of(invocation, *part));
  parts.back().value = std::move(in_force);
  out.in_force = row_of(invocation, parts.back());
  return out;
}

/// Returns the scheduler in the key `scheduler.NAME.OPTION` or `scheduler.NAME.OPTION.ENTRY`: a
/// known one if the key has its name, otherwise the text before the last dot. NAME may have dots.
std::string scheduler_in(Invocation& invocation, const std::string& key) {
  const std::size_t from = key.find('.') + 1;
  const std::size_t last = key.rfind('.');
  if (last <= from) throw_unknown_key(key, {});
  std::string out;
  for (const std::string& name : invocation.runner().scheduler_backends()) {
    const bool is_in_key = std::string_view(key).substr(from).starts_with(name + ".");
    if (is_in_key && name.size() > out.size()) out = name;
  }
  return out.empty() ? key.substr(from, last - from) : out;
}

/// Returns the rows of one entry of a dict, whose rows are `rows`. Omits layers without the entry,
/// but not the one in force and the default: these rows have no value.
std::vector<SettingRow> entry_rows(const std::vector<SettingRow>& rows, const std::string& entry) {
  std::vector<SettingRow> out;
  for (const SettingRow& row : rows) {
    const auto* table = row.value.if_object();
    const auto* value = table != nullptr ? table->if_contains(entry) : nullptr;
    if (value == nullptr && &row != &rows.front() && &row != &rows.back()) continue;
    out.push_back(row);
    out.back().value = value != nullptr ? *value : boost::json::value();
    out.back().text = value == nullptr ? "none"
                      : value->is_string()
                          ? spec::toml_text(Value(std::string(value->get_string())))
                          : boost::json::serialize(*value);
  }
  return out;
}

/// Returns the rows of `state_dir`, which the scheduler does not declare.
std::vector<SettingRow> state_dir_rows(const Invocation& invocation, const SettingKey& key) {
  const SettingKey of_all{key.section, config::kEveryScheduler, key.option};
  std::vector<SettingRow> out = layer_rows(invocation, {to_string(key), to_string(of_all)});
  out.push_back(default_row(invocation, key, Value()));
  return out;
}

/// Returns the rows of a run option, or of an entry of one that is a dict.
std::vector<SettingRow> run_option_rows(Invocation& invocation, const std::string& key) {
  const std::string scheduler = scheduler_in(invocation, key);
  const RunOpts declared = invocation.runner().run_opts(scheduler);
  const SettingKey of_scheduler{Section::kScheduler, scheduler, {}};
  const std::string name = key.substr(to_string(of_scheduler).size() + 1);
  if (name == config::kStateDir)
    return state_dir_rows(invocation, {Section::kScheduler, scheduler, name});
  const std::string before_dot = name.substr(0, name.find('.'));
  const bool is_entry = declared.get(name) == nullptr && declared.get(before_dot) != nullptr &&
                        declared.get(before_dot)->type == ValueType::kDict;
  const std::string& option = is_entry ? before_dot : name;
  std::vector<SettingRow> out = scheduler_rows(invocation, scheduler, declared);
  std::erase_if(out, [&](const SettingRow& row) { return row.key.option != option; });
  if (out.empty()) {
    std::vector<std::string> known;
    for (const RunOpt& each : declared)
      known.push_back(to_string(SettingKey{Section::kScheduler, scheduler, each.name}));
    throw_unknown_key(key, known);
  }
  return is_entry ? entry_rows(out, name.substr(before_dot.size() + 1)) : out;
}

/// Returns the row of the key `component.NAME.PARAM`, which no layer sets. Returns nothing for
/// another key and for an unknown PARAM. Throws Error kNotFound for an unknown component.
std::optional<SettingRow> unset_parameter(Invocation& invocation, const std::string& key) {
  constexpr std::string_view kStart = "component.";
  const std::size_t last = key.rfind('.');
  if (!key.starts_with(kStart) || last <= kStart.size()) return std::nullopt;
  const std::string name = key.substr(kStart.size(), last - kStart.size());
  const std::string param = key.substr(last + 1);
  for (const ComponentParam& each : invocation.components().find(name).info.params) {
    if (each.name == param)
      return default_row(invocation, {Section::kComponent, name, param}, each.default_value);
  }
  return std::nullopt;
}

/// Returns the row of `plugins.ID.enabled`, `plugins.ID.config` or a key of the latter, which no
/// layer sets. Returns nothing for another key and for an unknown plug-in.
std::optional<SettingRow> unset_plugin_setting(Invocation& invocation, const std::string& key) {
  if (!key.starts_with("plugins.")) return std::nullopt;
  for (const registry::PluginEntry& plugin : invocation.runner().plugins().registry().entries()) {
    const std::string start = to_string(SettingKey{Section::kPlugin, plugin.id, {}}) + ".";
    if (plugin.id.empty() || !key.starts_with(start)) continue;
    const SettingKey found{Section::kPlugin, plugin.id, key.substr(start.size())};
    if (found.option == "enabled") return default_row(invocation, found, Value(plugin.enabled));
    if (found.option == "config" || found.option.starts_with("config."))
      return default_row(invocation, found, Value());
  }
  return std::nullopt;
}

/// Returns the row of a key of a known form that no layer sets and that is no option of a command.
std::optional<SettingRow> unset_row(Invocation& invocation, const std::string& key) {
  const SettingKey run_options{Section::kRunOptions, {}, {}};
  if (key == to_string(run_options)) return default_row(invocation, run_options, Value());
  if (auto row = unset_parameter(invocation, key)) return row;
  return unset_plugin_setting(invocation, key);
}

/// Returns the rows of a key, the one in force first. Completes a short `key` such as `session` to
/// `cli.session`. Throws Error kNotFound for an unknown key.
std::vector<SettingRow> rows_of(Invocation& invocation, const ConfigCommand& command,
                                std::string& key) {
  if (key.rfind("scheduler.", 0) == 0) return run_option_rows(invocation, key);
  // `cfg` is the whole key of the run options for any scheduler, from SLIPWAY_CFG.
  if (key.find('.') == std::string::npos && key != "cfg") key = "cli." + key;
  std::vector<SettingRow> out = layer_rows(invocation, {key});
  const std::vector<ConfigurableOption> options = configurable_options(*command.make_cli_app());
  for (const ConfigurableOption& option : options) {
    if (to_string(option.key) == key) out.push_back(default_row(option));
  }
  if (out.empty()) {
    if (std::optional<SettingRow> unset = unset_row(invocation, key)) out.push_back(*unset);
  }
  if (out.empty()) throw_unknown_key(key, known_keys(invocation, options));
  return out;
}

std::string layers_text(const std::vector<SettingRow>& rows,
                        const std::vector<const config::Limit*>& limits) {
  std::vector<std::vector<std::string>> cells;
  for (const SettingRow& row : rows) {
    std::string where = to_string(row.where);
    if (!row.profile.empty()) where += " (profile " + row.profile + ")";
    cells.push_back({"  " + origin_text(row), row.text, where});
  }
  for (const config::Limit* limit : limits)
    cells.push_back({"  limit", limit_text(*limit), to_string(limit->where)});
  return text_table(cells);
}

}  // namespace

int config_explain(Invocation& invocation, const ConfigCommand& command) {
  std::string key = command.key;
  std::optional<Explanation> found = explain_plugin_config(invocation, key);
  if (!found) {
    std::vector<SettingRow> rows = rows_of(invocation, command, key);
    found = Explanation{rows.front(), std::move(rows)};
  }
  const auto limits = config::limits_of(invocation.config(), found->in_force.key);
  if (invocation.json()) {
    boost::json::object out{{"key", key}};
    for (auto& [name, value] : row_json(found->in_force)) out[name] = value;
    boost::json::array layers;
    for (const SettingRow& row : found->layers) layers.push_back(row_json(row));
    out["layers"] = std::move(layers);
    boost::json::array limit_rows;
    for (const config::Limit* limit : limits) limit_rows.push_back(limit_json(*limit));
    out["limits"] = std::move(limit_rows);
    write_json(out);
  } else {
    write_output(key + " = " + found->in_force.text + "\n" + layers_text(found->layers, limits));
  }
  return kExitOk;
}

}  // namespace slipway::cli
