// The file that `config init` writes.
#pragma once

#include <string>

#include "slipway/dict.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::config {

/// A configuration file that sets nothing: a table for each scheduler with all of its run options,
/// commented out, required ones first, each below its help and type, with its default where it has
/// one and an example of its type otherwise. It reads without a problem, also when any of its
/// `# NAME = VALUE` lines are uncommented.
std::string config_template(const Dict<RunOpts>& schedulers);

}  // namespace slipway::config
