// One layer's word about one key, as `config show` and `config explain` tell it.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "core/cli/commands/commands.hpp"

namespace slipway::cli {

struct SettingRow {
  config::SettingKey key;
  std::string text;          ///< the value as TOML, or `none`
  boost::json::value value;  ///< null for none
  std::string origin;        ///< "default", "project", …
  spec::Position where;      ///< no file for built-in defaults
  std::string profile;
  bool locked = false;  ///< by the site
};

/// Secrets, by the name of the option, are redacted unless --show-secrets was given.
SettingRow row_of(const Invocation& invocation, const config::Setting& setting);
/// A run option: `name` of `scheduler` with this value, from a setting or, nullptr, by default.
SettingRow row_of(const Invocation& invocation, const std::string& scheduler,
                  const std::string& name, const Value& value, const config::Setting* from);
SettingRow default_row(const ConfigurableOption& option);

/// {"value","origin","where","file","line","column","profile","locked"}.
boost::json::object row_json(const SettingRow& row);

/// Everything that says something about `scheduler`'s options: those it declares, the layer in
/// force first, its defaults last; and settings of files that it does not know.
std::vector<SettingRow> scheduler_rows(Invocation& invocation, const std::string& scheduler,
                                       const RunOpts& declared);

}  // namespace slipway::cli
