// Lists components for checks.
#pragma once

#include <string>
#include <vector>

#include "sdk/check/host/loaded.hpp"
#include "slipway/options.hpp"

namespace slipway::check {

struct Component {
  std::string name;
  Cfg args;  ///< its defaults, and sample values of required parameters
};

/// Returns the components that the provider lists without a source file. Throws Broken if one is
/// malformed.
std::vector<Component> all_components(const Instance& instance);

}  // namespace slipway::check
