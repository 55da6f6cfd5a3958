// Ids of apps whose helpers have addresses of the whole machine.
#pragma once

#include <unistd.h>

#include <string>

namespace slipway::docker {

/// Returns an app id that no other run of this test has.
inline std::string own_id(const std::string& name) {
  return "app-" + name + "-" + std::to_string(::getpid());
}

}  // namespace slipway::docker
