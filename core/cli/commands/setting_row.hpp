// The value of a key in one layer, as `config show` and `config explain` print it.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "core/cli/invocation/invocation.hpp"
#include "core/cli/options/option_settings.hpp"

namespace slipway::cli {

struct SettingRow {
  config::SettingKey key;
  std::string text;          ///< the value as TOML, or `none`
  boost::json::value value;  ///< null for none
  std::string origin;        ///< "default", "project", …
  spec::Position where;      ///< without a file for built-in defaults
  std::string profile;       ///< the profile that sets the value, or empty
  bool locked = false;       ///< whether the site locks the value
};

/// Returns the row of a setting. Without --show-secrets it replaces secrets, which it recognises by
/// the names of the option and of keys in its value, or by a password in a URL.
SettingRow row_of(const Invocation& invocation, const config::Setting& setting);
/// Returns the row of the run option `name` of `scheduler`. `from` is the setting that the value
/// comes from; nullptr means the built-in default.
SettingRow row_of(const Invocation& invocation, const std::string& scheduler,
                  const std::string& name, const Value& value, const config::Setting* from);
/// Returns the row of a key that no layer sets. `value` is its default; kNone means none. Redacts
/// secrets.
SettingRow default_row(const Invocation& invocation, config::SettingKey key, const Value& value);
/// Returns the row of the built-in default of a command's option, which is no secret.
SettingRow default_row(const ConfigurableOption& option);

/// Returns the origin for people: `site, locked`.
std::string origin_text(const SettingRow& row);
/// Returns {"value","origin","where","file","line","column","profile","locked"}.
boost::json::object row_json(const SettingRow& row);

/// Returns the rows of all options that `scheduler` declares. For each option the layer in force
/// comes first and the default last.
std::vector<SettingRow> scheduler_rows(Invocation& invocation, const std::string& scheduler,
                                       const RunOpts& declared);

}  // namespace slipway::cli
