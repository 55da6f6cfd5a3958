// The run options of a scheduler as text for people.
#pragma once

#include <string>

#include "slipway/run_opts.hpp"

namespace slipway::cli {

/// Returns `scheduler` in a line, then for each option `  NAME (TYPE, required)` or `  NAME (TYPE,
/// default VALUE)` and its help, indented. Required options come first, because a new user must set
/// them. A default that is a list or a dict is printed as JSON. So is a text that people could not
/// read otherwise, such as an empty one.
std::string run_opts_text(const std::string& scheduler, const RunOpts& options);

}  // namespace slipway::cli
