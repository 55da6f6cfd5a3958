// What a component says of itself on a terminal.
#pragma once

#include <string>
#include <string_view>

#include "slipway/components.hpp"

namespace slipway::components {

/// Usage line, help and parameters (option names, type, help, `required` or the default) as lines of
/// at most 100 columns, unless a single word is longer. `command` stands before the component's name
/// in the usage: "slipway run". Ends with a newline.
std::string help_text(const ComponentInfo& info, std::string_view command);

/// The default as it would be typed: `3`, `a,b`, `k=v,k2=v2`; empty for kNone.
std::string default_text(const Value& value);

}  // namespace slipway::components
