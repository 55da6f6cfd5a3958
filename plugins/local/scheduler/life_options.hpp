// The run options about retries, time limits and how many replicas run at a time.
#pragma once

#include "plugins/local/engine/retry_rules.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::local {

/// Their declarations, for `slipway runopts`.
RunOpts life_options();

/// The resolved options as the engine's rules. Throws Error kInvalid that names the option, its
/// wrong value and what it may be.
LifeRules read_life_rules(const Cfg& cfg);

}  // namespace slipway::local
