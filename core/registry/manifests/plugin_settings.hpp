// What the host's own configuration says about plug-ins, over their manifests.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"

namespace slipway::registry {

/// [plugins."ID"] of the configuration, all layers together.
struct PluginSettings {
  /// false: the plug-in is not used, wherever its manifest stands. true takes back what a lower
  /// layer says; what a manifest disables stays disabled.
  std::optional<bool> enabled;
  spec::Position enabled_source;
  spec::Node config;      ///< a table, laid over [plugin.config]
  spec::Position source;  ///< of anything about the plug-in, for messages
};

/// By id.
using AllPluginSettings = std::map<std::string, PluginSettings, std::less<>>;

}  // namespace slipway::registry
