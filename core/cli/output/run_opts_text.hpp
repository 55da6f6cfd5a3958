// Run options for a person: what `slipway runopts` prints.
#pragma once

#include <string>

#include "slipway/run_opts.hpp"

namespace slipway::cli {

/// `scheduler` in a line of its own, then for each option ` NAME (TYPE, required)` or ` NAME (TYPE,
/// default VALUE)`, and its help, indented. Required options come first: they are what a new user
/// has to find out. A default that is a list or a dict stands there as JSON, and so does a text
/// that would not be seen as it is (an empty one).
std::string run_opts_text(const std::string& scheduler, const RunOpts& options);

}  // namespace slipway::cli
