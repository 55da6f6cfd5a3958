// The experiment trackers that replicas report to, as TorchX hands them on: by environment
// variables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipway/app.hpp"
#include "slipway/tracker.hpp"

namespace slipway {

/// `TORCHX_TRACKER_<NAME>_CONFIG`, the name in upper case (ASCII).
std::string tracker_config_variable(std::string_view name);

/// The trackers of this process: those that its environment names in TORCHX_TRACKERS (`a,b`), each
/// with the text of its config variable; without that variable, those of `configured`. A config
/// variable of the environment wins over a configured one.
std::vector<Tracker> active_trackers(const std::vector<Tracker>& configured);

/// Sets TORCHX_TRACKERS and each tracker's config variable in every role, over values of its own.
/// No tracker, no variable.
void add_trackers(AppDef& app, const std::vector<Tracker>& trackers);

}  // namespace slipway
