// Makes an argument for an option or a component's parameter from the value of a setting.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/config/setting.hpp"
#include "slipway/options.hpp"

namespace slipway::config {

/// Returns the value as a command-line argument: a string unchanged, `true`, `5`. Returns nullopt
/// and adds a problem for a setting with a defect, and for a list, a table or a date.
std::optional<std::string> argument_text(const Setting& setting,
                                         std::vector<spec::Problem>& problems);

/// Returns the value for a component's parameter: a list of TOML as a StrList and a table as a
/// StrDict, with the texts of their items; any other value as argument_text() does. Returns nullopt
/// and adds a problem as argument_text() does, and for an item that is a list, a table or a date.
std::optional<Value> argument_value(const Setting& setting, std::vector<spec::Problem>& problems);

}  // namespace slipway::config
