// What the configuration says about plug-ins, as the registry takes it.
#pragma once

#include "core/config/settings.hpp"
#include "core/registry/manifests/index.hpp"

namespace slipway::cli {

/// All of [plugins.ID], layer over layer: `enabled` of the highest one, the keys of `config` each
/// by the highest one that has it; what the site locks lies on top.
registry::AllPluginSettings plugin_settings(const config::Settings& settings);

}  // namespace slipway::cli
