// Selects the rule that this plug-in breaks in this process.
#pragma once

#include <cstdlib>
#include <string_view>

namespace faulty {

/// Returns whether the variable SLIPWAY_FAULT is `name`. Without the variable the plug-in has no
/// fault.
inline bool broken(std::string_view name) {
  const char* fault = std::getenv("SLIPWAY_FAULT");
  return fault != nullptr && name == fault;
}

}  // namespace faulty
