// Lists components for checks.
#pragma once

#include <string>
#include <vector>

#include "sdk/check/host/loaded.hpp"
#include "slipway/options.hpp"

namespace slipway::check {

/// A component and arguments with which it can be built.
struct Component {
  std::string name;
  Cfg args;  ///< the defaults, and sample values of required and variadic parameters
};

/// Returns the components that the provider lists without a source file. Throws Broken if one is
/// malformed.
std::vector<Component> all_components(const Instance& instance);

}  // namespace slipway::check
