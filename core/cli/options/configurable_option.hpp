// An option of a command that configuration files may set.
#pragma once

#include <string>

#include "core/config/setting.hpp"

namespace slipway::cli {

struct ConfigurableOption {
  config::SettingKey key;
  std::string default_text;  ///< the built-in default, empty for none
  bool flag = false;         ///< on or off
};

}  // namespace slipway::cli
