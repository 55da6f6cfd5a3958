// The run options of a scheduler as text for people.
#pragma once

#include <string>

#include "slipway/run_opts.hpp"

namespace slipway::cli {

/// Returns `scheduler` in a line, then for each option `  NAME (TYPE, required)` or `  NAME (TYPE,
/// default VALUE)` and its help, indented. Required options come first, because a new user must set
/// them. Defaults that are lists or dicts are JSON, and so are texts that would be unclear without
/// quotes, such as an empty text.
std::string run_opts_text(const std::string& scheduler, const RunOpts& options);

}  // namespace slipway::cli
