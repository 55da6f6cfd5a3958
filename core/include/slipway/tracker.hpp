// An experiment tracker that replicas report to.
#pragma once

#include <string>

namespace slipway {

/// A tracker and what it is told about itself: a file's name, a URL.
struct Tracker {
  std::string name;
  std::string config;  ///< empty: nothing
};

}  // namespace slipway
