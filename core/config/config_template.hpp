// The file that `config init` writes.
#pragma once

#include <string>

#include "slipway/dict.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::config {

/// Returns a configuration file without settings. It has a table for each scheduler with all run
/// options as comments, required ones first. Each has its help, its type, and its default or an
/// example value. The file is valid, also after removing `# ` from any `# NAME = VALUE` line.
std::string config_template(const Dict<RunOpts>& schedulers);

}  // namespace slipway::config
