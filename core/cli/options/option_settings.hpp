// Turns options into settings, and gives options the values of settings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cli/options/cli11_names.hpp"
#include "core/config/settings.hpp"
#include "slipway/options.hpp"

namespace slipway::cli {

/// An option of a command that configuration files may set.
struct ConfigurableOption {
  config::SettingKey key;
  std::string help;
  std::string default_text;  ///< the built-in default; empty for none
  bool is_switch = false;    ///< the option takes no argument: it is on or off
};

/// Returns whether a flag with the value `text` is on, as in `--detach=yes`. Accepts the spellings
/// of CLI11, with numbers of any size; returns nothing for other texts.
std::optional<bool> flag_value(const std::string& text);

/// Returns the built-in default as a value of a configuration file: a bool for a switch, an integer
/// if the default is one, else a text, or kNone without a default.
Value default_value(const ConfigurableOption& option);

/// Returns all options that `[cli]` sections may set, global options included. `dryrun` uses the
/// section of `run`. Leaves out options that are not configurable in CLI11, because they make sense
/// only for a single call. Adds `component` of `run`, which sets the argument APP.
std::vector<ConfigurableOption> configurable_options(const CLI::App& app);

/// Returns the configurable options on the command line, global ones and those of the command, as
/// layer kFlag.
std::vector<config::Setting> given_options(CLI::App& app);

/// Returns the setting that `--profile NAME` on the command line makes.
config::Setting profile_flag(const std::string& name);

/// Appends a problem for each setting in TOML of a command or option that is unknown or not
/// configurable. Ignores variables, and a .torchxconfig, which may belong to TorchX alone.
void check_option_settings(const CLI::App& app, const config::Settings& settings,
                           std::vector<spec::Problem>& problems);

/// Appends a problem for each setting, of any command, whose option refuses the value. Changes the
/// variables behind the options of `app`, so the caller must not use `app` afterwards.
void check_option_values(CLI::App& app, const config::Settings& settings,
                         std::vector<spec::Problem>& problems);

/// Gives each global option, and each option of the command, the value of the setting in force. An
/// option on the command line keeps its value. Of two options that exclude each other, the one from
/// the higher layer gets its value. Appends a problem for each value that an option refuses.
void apply_option_settings(CLI::App& app, const config::Settings& settings,
                           std::vector<spec::Problem>& problems);

}  // namespace slipway::cli
