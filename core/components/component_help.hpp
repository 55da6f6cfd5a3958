// Writes the help text of a component.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/components/sweep_values.hpp"
#include "slipway/components.hpp"

namespace slipway::components {

/// Returns the usage line, the component's help as it was written, the parameters (option names,
/// type, help, `required` or the default) and the values of `sweep`. All lines but those of the
/// component's help have at most 100 columns, unless a single word is longer. The usage line puts
/// `command` before the component's name: "slipway run". Ends with a newline.
std::string help_text(const ComponentInfo& info, std::string_view command,
                      const std::vector<SweptParam>& sweep = {});

/// Returns the default as a user would type it: `3`, `a,b`, `k=v,k2=v2`; empty for kNone.
std::string default_text(const Value& value);

}  // namespace slipway::components
