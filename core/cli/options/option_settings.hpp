// Options of the command line as settings, and settings as defaults of options.
#pragma once

#include <string>
#include <vector>

#include "core/cli/options/cli11_names.hpp"
#include "core/cli/options/configurable_option.hpp"
#include "core/config/settings.hpp"

namespace slipway::cli {

/// The options that files may set, of all commands; `dryrun` has those of `run`. Options that CLI11
/// calls not configurable are decided anew with every command, and left out.
std::vector<ConfigurableOption> configurable_options(const CLI::App& app);

/// What was given on the command line to the app and the command that was chosen, as layer kFlag.
std::vector<config::Setting> flag_settings(CLI::App& app);

/// A problem for every setting of a command or an option that there is not, with a near name.
/// .torchxconfig is TorchX's: what is unknown there means nothing.
void check_option_settings(const CLI::App& app, const config::Settings& settings,
                           std::vector<spec::Problem>& problems);

/// A problem for every setting whose option does not take its value, of whatever command. Uses up
/// `app`: its options and what they write to are not to be looked at afterwards.
void check_option_values(CLI::App& app, const config::Settings& settings,
                         std::vector<spec::Problem>& problems);

/// Gives each option of the app and the chosen command that was not given on the command line the
/// value that is in force for it. An option that excludes another gives way to it when that one
/// comes from a higher layer. Values that the option does not take are problems.
void apply_option_settings(CLI::App& app, const config::Settings& settings,
                           std::vector<spec::Problem>& problems);

}  // namespace slipway::cli
