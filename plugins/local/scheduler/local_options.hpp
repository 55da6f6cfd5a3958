// The run options of the local schedulers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/engine/retention.hpp"
#include "plugins/local/engine/retry_rules.hpp"
#include "plugins/local/scheduler/limit_options.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::local {

/// What `slipway runopts` lists for the scheduler whose entry is `local_cwd`, `local_dir` or
/// `local`.
RunOpts declared_options(std::string_view entry);

/// The resolved options as fields.
struct LocalOptions {
  std::string log_dir;  ///< as given; empty: the app's own state directory
  bool prepend_cwd = false;
  bool auto_set_cuda_visible_devices = false;
  std::int64_t grace_ms = 0;
  Retention retention;
  StrList extra_paths;
  std::string image_provider;  ///< of every role; empty: by each role's image
  LifeRules rules;
  LimitOptions limits;
  LogRules logs;
  bool chooses_pipes = false;  ///< logs.pipes is not set: it depends on the app
};

/// Throws Error kInvalid for values that are out of range.
LocalOptions read_options(const Cfg& cfg);

}  // namespace slipway::local
