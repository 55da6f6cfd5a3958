// The SLIPWAY_* variables that set what options set. SLIPWAY_CONFIG is in sources.hpp; plug-ins and
// the local scheduler have variables of their own (SLIPWAY_PLUGIN_PATH, SLIPWAY_LOCAL_GPUS, …).
#pragma once

#include <vector>

#include "core/config/setting.hpp"
#include "core/config/sources.hpp"

namespace slipway::config {

/// SLIPWAY_SCHEDULER is `cli.run.scheduler`, SLIPWAY_SESSION `cli.session`, SLIPWAY_PROFILE
/// `cli.profile`, SLIPWAY_LOG_LEVEL `cli.log-level`, and SLIPWAY_CFG (`K=V,K2=V2`) `cfg`. An empty
/// variable sets nothing.
std::vector<Setting> variable_settings(const Variables& variable);

}  // namespace slipway::config
