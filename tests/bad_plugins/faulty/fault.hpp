// Which rule this plug-in breaks in this process.
#pragma once

#include <cstdlib>
#include <string_view>

namespace faulty {

/// True when the environment's SLIPWAY_FAULT is `name`. Without the variable nothing is wrong with the plug-in.
inline bool broken(std::string_view name) {
  const char* fault = std::getenv("SLIPWAY_FAULT");
  return fault != nullptr && name == fault;
}

}  // namespace faulty
