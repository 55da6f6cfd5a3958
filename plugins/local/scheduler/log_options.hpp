// The run options about what is kept of a replica's output.
#pragma once

#include "plugins/local/engine/log_rules.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::local {

/// Their declarations, for `slipway runopts`.
RunOpts log_options();

/// The resolved options as the engine's rules. Throws Error kInvalid that names the option and what
/// it may be.
LogRules read_log_rules(const Cfg& cfg);

/// Whether log_pipes is left to the scheduler.
bool chooses_pipes(const Cfg& cfg);

}  // namespace slipway::local
