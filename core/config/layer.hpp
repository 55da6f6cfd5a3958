// Where a setting comes from. A higher layer wins over a lower one, whatever it sets.
#pragma once

namespace slipway::config {

/// From lowest to highest.
enum class Layer {
  kDefault,       ///< built in
  kSite,          ///< /etc/slipway/config.toml
  kUser,          ///< $XDG_CONFIG_HOME/slipway/config.toml
  kTorchx,        ///< .torchxconfig
  kProject,       ///< the nearest slipway.toml
  kVariableFile,  ///< the file that SLIPWAY_CONFIG names
  kFlagFile,      ///< the file that --config names
  kVariable,      ///< a SLIPWAY_* variable
  kFlag,          ///< an option of the command line
};

/// The origin as JSON and tables have it: "default", "site", "user", "torchx", "project",
/// "env_file", "flag_file", "env", "flag".
const char* to_string(Layer layer);

}  // namespace slipway::config
