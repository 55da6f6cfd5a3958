// `config explain KEY`: prints the value in force, the value of each layer that sets the key, and
// the limits of the site.
#include <optional>
#include <string>
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

/// Returns a row for each layer that sets the key, the highest layer first.
std::vector<SettingRow> layer_rows(const Invocation& invocation, const std::string& key) {
  std::vector<SettingRow> out;
  const auto& all = invocation.config().in_order();
  for (auto setting = all.rbegin(); setting != all.rend(); ++setting) {
    if (to_string(setting->key) == key) out.push_back(row_of(invocation, *setting));
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
    if (setting.key.option == "enabled" || to_string(whole) != key) continue;
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

/// Returns the rows of the key `scheduler.NAME.OPTION`. NAME may contain dots, OPTION may not.
std::vector<SettingRow> run_option_rows(Invocation& invocation, const std::string& key) {
  const std::size_t from = key.find('.') + 1;
  const std::size_t last = key.rfind('.');
  if (last <= from) throw_unknown_key(key, {});
  const std::string scheduler = key.substr(from, last - from);
  const std::string name = key.substr(last + 1);
  const RunOpts declared = invocation.runner().run_opts(scheduler);
  std::vector<SettingRow> out = scheduler_rows(invocation, scheduler, declared);
  std::erase_if(out, [&](const SettingRow& row) { return row.key.option != name; });
  if (out.empty()) {
    std::vector<std::string> known;
    for (const RunOpt& option : declared)
      known.push_back(to_string(SettingKey{Section::kScheduler, scheduler, option.name}));
    throw_unknown_key(key, known);
  }
  return out;
}

/// Returns the rows of a key, the one in force first. Completes a short `key` such as `session` to
/// `cli.session`. Throws Error kNotFound for an unknown key.
std::vector<SettingRow> rows_of(Invocation& invocation, const ConfigCommand& command,
                                std::string& key) {
  if (key.rfind("scheduler.", 0) == 0) return run_option_rows(invocation, key);
  // `cfg` is the whole key of the run options for any scheduler, from SLIPWAY_CFG.
  if (key.find('.') == std::string::npos && key != "cfg") key = "cli." + key;
  std::vector<SettingRow> out = layer_rows(invocation, key);
  const std::vector<ConfigurableOption> options = configurable_options(*command.make_cli_app());
  for (const ConfigurableOption& option : options) {
    if (to_string(option.key) == key) out.push_back(default_row(option));
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
