// The run options about what of this machine replicas get, and how it is made to hold.
#pragma once

#include "plugins/local/engine/replica_needs.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::local {

struct LimitOptions {
  bool lease_gpus = false;
  Enforce enforce = Enforce::kNone;
};

/// Their declarations, for `slipway runopts`.
RunOpts limit_options();

/// Throws Error kInvalid that names the option, its wrong value and what it may be.
LimitOptions read_limit_options(const Cfg& cfg);

}  // namespace slipway::local
