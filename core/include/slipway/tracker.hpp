// An experiment tracker that replicas report to.
#pragma once

#include <string>

namespace slipway {

/// A tracker and its configuration, such as a file name or a URL.
struct Tracker {
  std::string name;
  std::string config;  ///< may be empty
};

}  // namespace slipway
