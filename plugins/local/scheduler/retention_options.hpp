// The run options about how long finished apps are remembered.
#pragma once

#include "plugins/local/engine/retention.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::local {

/// Their declarations, for `slipway runopts`.
RunOpts retention_options();

/// The resolved options; `keep_apps` goes before TorchX's name for the same, `cache_size`. Throws
/// Error kInvalid that names the option.
Retention read_retention(const Cfg& cfg);

}  // namespace slipway::local
