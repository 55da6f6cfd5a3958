// The run options of the local schedulers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "plugins/local/engine/app_rules.hpp"
#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/engine/replica_needs.hpp"
#include "plugins/local/engine/retention.hpp"
#include "slipway/app.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::local {

/// Returns what `slipway runopts` lists for the scheduler whose entry is `local_cwd`, `local_dir`
/// or `local`.
RunOpts declared_options(std::string_view entry);

/// The resolved options. `rules` and `logs` become part of the launch plan.
struct LocalOptions {
  std::string log_dir;  ///< may be relative; empty: the logs are in the app's record
  bool prepend_cwd = false;
  bool auto_set_cuda_visible_devices = false;
  StrList extra_paths;
  LifeRules rules;
  bool lease_gpus = false;
  Enforce enforce = Enforce::kNone;
  LogRules logs;
  bool chooses_pipes = false;  ///< logs.pipes was not given and depends on the app
  double keep_days = 30;
  double keep_gb = 10;
  std::optional<std::int64_t> keep_apps;
  std::optional<std::int64_t> cache_size;
  std::string image_provider;  ///< for every role; empty: chosen by each role's image

  /// Returns the limits of pruning. keep_apps overrides cache_size, TorchX's name for it.
  Retention retention() const;
};

/// Reads the resolved options. Throws kInvalid with the option, its wrong value and the valid ones,
/// or with two options that contradict each other.
LocalOptions read_options(const Cfg& cfg);

}  // namespace slipway::local
