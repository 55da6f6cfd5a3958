// Loads the configuration of one call, and applies it to run options.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/cli/invocation/invocation.hpp"
#include "core/config/limits.hpp"
#include "core/config/load.hpp"

namespace slipway::cli {

/// Reads all layers that the global options select; `flags` are the highest layer. Trusts files by
/// the rules for manifests (registry/manifests/trust.hpp). Throws nothing: the result has the
/// problems, also those of check_state_dirs().
config::Loaded load_configuration(const GlobalOptions& globals,
                                  std::vector<config::Setting> flags = {});

/// Prints the problems that are warnings.
void print_warnings(const std::vector<spec::Problem>& problems);

/// The value of a run option in one layer.
struct ConfiguredOption {
  std::string name;
  Value value;
  /// The setting that has the value, one of those given to configured_options().
  const config::Setting* from = nullptr;
};

/// Returns the run options of `scheduler`, which declares `declared`, from files and from
/// SLIPWAY_CFG, lowest layer first. Prints a warning for each unknown option. Throws InvalidApp
/// (kConfig) if config::run_option_settings() finds errors, Error (kConfig) for a malformed
/// SLIPWAY_CFG. Omits a value with a defect, such as a variable that is not set, if another layer
/// replaces it and `given`, the run options of the command, is not null: the command does not need
/// the value. It needs a value that the site locks.
std::vector<ConfiguredOption> configured_options(const config::Settings& settings,
                                                 const std::string& scheduler,
                                                 const RunOpts& declared,
                                                 const Dict<Value>* given = nullptr);

/// Appends a problem (kConfig) for each value in `options` that breaks a lock or a limit of the
/// site for run options of `scheduler`. `options` has the run options of all layers, which come
/// from `places`. The problems name the place of the value and the site's file.
void check_site_rules(const config::Settings& settings, const std::string& scheduler,
                      const RunOpts& declared, const Dict<Value>& options,
                      const config::ValuePlaces& places, std::vector<spec::Problem>& problems);

/// Turns errors of files and variables into warnings, for commands with ConfigErrors::kWarnings
/// (parser/parser.hpp). A mistake in a file must not prevent a user from seeing and cancelling
/// apps. Errors of the command line, and of the file of --config, stay errors.
void downgrade_file_errors(config::Loaded& loaded);

/// Prints a warning for each section [scheduler.NAME] whose NAME is not a scheduler but resembles
/// the name of one. `current` is the scheduler of the command. Calls `schedulers`, which returns
/// the names of all schedulers, only if there are sections of others than `current`.
void warn_of_misspelt_schedulers(const config::Settings& settings, const std::string& current,
                                 const std::function<std::vector<std::string>()>& schedulers);

}  // namespace slipway::cli
