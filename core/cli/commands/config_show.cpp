// `config show`: prints the settings in force as TOML, with their origins and the limits of the
// site as comments.
#include <algorithm>
#include <tuple>

#include "core/cli/apps/all_schedulers.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/limit_rows.hpp"
#include "core/cli/commands/setting_row.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/spec/toml_text.hpp"

namespace slipway::cli {

namespace {

using config::Section;

bool has_key(const std::vector<SettingRow>& rows, const config::SettingKey& key) {
  for (const SettingRow& row : rows) {
    if (row.key == key) return true;
  }
  return false;
}

std::vector<SettingRow> rows_in_force(Invocation& invocation) {
  std::vector<SettingRow> out;
  for (const config::Setting* setting : invocation.config().in_force())
    out.push_back(row_of(invocation, *setting));
  return out;
}

/// Adds the built-in defaults of keys that no layer sets.
void add_defaults(Invocation& invocation, const ConfigCommand& command,
                  std::vector<SettingRow>& rows) {
  for (const ConfigurableOption& option : configurable_options(*command.make_cli_app())) {
    if (!has_key(rows, option.key)) rows.push_back(default_row(option));
  }
  Runner& runner = invocation.runner();
  for (const auto& answer : runner.run_opts_of(runner.scheduler_backends())) {
    warn_if_failed(answer);
    for (const RunOpt& option : answer.answer) {
      SettingRow row =
          row_of(invocation, answer.scheduler, option.name, option.default_value, nullptr);
      if (!has_key(rows, row.key)) rows.push_back(std::move(row));
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const SettingRow& a, const SettingRow& b) {
    return std::tie(a.key.section, a.key.name) < std::tie(b.key.section, b.key.name);
  });
}

std::string table_header(const config::SettingKey& key) {
  const char* section = key.section == Section::kCli         ? "cli"
                        : key.section == Section::kScheduler ? "scheduler"
                        : key.section == Section::kPlugin    ? "plugins"
                        : key.section == Section::kTracker   ? "tracker"
                                                             : "component";
  if (key.name.empty()) return std::string("[") + section + "]\n";
  // In [cli.plugin.list], the dot in the name `plugin.list` separates tables. In other sections a
  // name is one key, which may need quotes.
  return std::string("[") + section + "." +
         (key.section == Section::kCli ? key.name : spec::toml_key(key.name)) + "]\n";
}

std::string comment_of(const SettingRow& row) {
  std::string out = origin_text(row);
  if (!row.profile.empty()) out += ", profile " + row.profile;
  if (!row.where.file.empty()) out += ": " + to_string(row.where);
  return out;
}

std::string rows_text(const std::vector<SettingRow>& rows) {
  std::string out;
  std::string header;
  for (const SettingRow& row : rows) {
    // Run options for any scheduler, from a variable such as SLIPWAY_CFG, have no key in TOML.
    if (row.key.section == Section::kRunOptions) {
      out +=
          (out.empty() ? "" : "\n") + std::string("# ") + row.where.file + " = " + row.text + "\n";
      continue;
    }
    if (table_header(row.key) != header) {
      header = table_header(row.key);
      out += (out.empty() ? "" : "\n") + header;
    }
    const bool none = row.value.is_null();  // TOML has no null, so the line is a comment
    // The key of a plug-in's configuration has dots, and quotes where TOML requires them.
    const std::string key =
        row.key.section == Section::kPlugin ? row.key.option : spec::toml_key(row.key.option);
    out += (none ? "# " : "") + key + " = " + row.text + "  # " + comment_of(row) + "\n";
  }
  return out;
}

std::string limits_text(const std::vector<config::Limit>& limits) {
  std::string out = limits.empty() ? "" : "# Limits of the site:\n";
  for (const config::Limit& limit : limits)
    out += "# " + to_string(limit.key) + ": " + limit_text(limit) + "  # " +
           to_string(limit.where) + "\n";
  return out;
}

}  // namespace

int config_show(Invocation& invocation, const ConfigCommand& command) {
  std::vector<SettingRow> rows = rows_in_force(invocation);
  if (command.all) add_defaults(invocation, command, rows);
  if (invocation.json()) {
    boost::json::array settings;
    for (const SettingRow& row : rows) {
      boost::json::object out{{"key", to_string(row.key)}};
      for (auto& [key, value] : row_json(row)) out[key] = value;
      settings.push_back(std::move(out));
    }
    boost::json::array limits;
    for (const config::Limit& limit : invocation.config().limits())
      limits.push_back(limit_json(limit));
    write_json(boost::json::object{{"profile", text_or_null(invocation.config().profile())},
                                   {"settings", std::move(settings)},
                                   {"limits", std::move(limits)}});
    return kExitOk;
  }
  if (rows.empty()) say(LogLevel::kInfo, "nothing is set; `slipway config path` lists the files");
  const std::string limits = limits_text(invocation.config().limits());
  write_output(rows_text(rows) + (rows.empty() || limits.empty() ? "" : "\n") + limits);
  return kExitOk;
}

}  // namespace slipway::cli
