// Converts settings of configuration files for the runner and the registry.
#pragma once

#include <string>
#include <vector>

#include "core/config/config_file.hpp"
#include "core/config/settings.hpp"
#include "core/registry/manifests/index.hpp"
#include "core/registry/manifests/trust.hpp"
#include "slipway/tracker.hpp"

namespace slipway::cli {

/// Returns the settings of all plug-ins, from the tables [plugins.ID] of all layers. For `enabled`
/// and for each key of `config` the highest layer wins.
registry::AllPluginSettings plugin_settings(const config::Settings& settings);

/// Returns the state directory of each scheduler whose `state_dir` is set, and under `*` that of
/// all others, for RunnerOptions::state_dirs. Skips values that check_state_dirs() reports.
Dict<std::string> state_dirs(const config::Settings& settings);

/// Returns the trackers that the settings name, in the order of the files, the lowest layer first.
/// A tracker that several layers name has the text of the highest one.
std::vector<Tracker> trackers(const config::Settings& settings);

/// Appends a problem (kConfig) for each `state_dir` that has a defect or is not an absolute path.
void check_state_dirs(const config::Settings& settings, std::vector<spec::Problem>& problems);

/// Returns the policy of this process with the accounts that the site lists. Skips accounts that
/// this machine does not know.
registry::TrustPolicy trust_policy(const config::SiteRules& site);

/// Appends a warning for each account in the site's lists that this machine does not know.
void check_site_accounts(const config::SiteRules& site, std::vector<spec::Problem>& problems);

}  // namespace slipway::cli
