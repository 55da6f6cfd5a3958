// The configuration of one call of the command.
#pragma once

#include <vector>

#include "core/cli/invocation/invocation.hpp"
#include "core/config/load.hpp"

namespace slipway::cli {

/// Reads all layers as the global options ask for; `flags` are on top. Files are trusted as
/// manifests are (registry/trust.hpp). Throws nothing: see config::Loaded.
config::Loaded load_configuration(const GlobalOptions& globals,
                                  std::vector<config::Setting> flags = {});

/// Says those that are warnings.
void tell_warnings(const std::vector<spec::Problem>& problems);

/// One run option as a layer gives it.
struct ConfiguredOption {
  std::string name;
  Value value;
  const config::Setting* from = nullptr;  ///< lives as long as the invocation's settings
};

/// What files and SLIPWAY_CFG say about run options of `scheduler`, which declares `declared`,
/// lowest precedence first. Tells what is unknown as warnings. Throws InvalidApp (kConfig) with
/// every value of a wrong type, Error (kConfig) for a SLIPWAY_CFG that cannot be read.
std::vector<ConfiguredOption> configured_options(const config::Settings& settings,
                                                 const std::string& scheduler,
                                                 const RunOpts& declared);

/// Throws InvalidApp (kConfig) when the site locks or limits run options of `scheduler`, or
/// schedulers, to other values than `given`, which has what the command line says laid over what
/// files say. The problems name the site's file.
void check_site_rules(const config::Settings& settings, const std::string& scheduler,
                      const RunOpts& declared, const Dict<Value>& given);

/// Makes warnings of the errors that files and variables cause, for commands that only look at
/// apps: one user's mistake, or the site's, must not keep anyone from seeing and cancelling what
/// runs. What the command line itself asks for stays an error.
void forgive_files(config::Loaded& loaded);

/// Warns of sections [scheduler.NAME] whose NAME is nearly, but not quite, that of a scheduler.
/// `known` is one; `schedulers` gives all and is only called when there are sections of others.
void tell_misspelt_schedulers(const config::Settings& settings, const std::string& known,
                              const std::function<std::vector<std::string>()>& schedulers);

}  // namespace slipway::cli
