// Writes the value of a setting as a command-line argument.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/config/setting.hpp"

namespace slipway::config {

/// Returns the value as a command-line argument: a string unchanged, `true`, `5`, a list as `a,b`,
/// a table as `k=v,k2=v2`. Returns nullopt and adds a problem for a setting with a defect, and for
/// a value that no argument expresses: a date, an item or key with a comma, or an item that is
/// itself a list, table or date.
std::optional<std::string> argument_text(const Setting& setting,
                                         std::vector<spec::Problem>& problems);

}  // namespace slipway::config
