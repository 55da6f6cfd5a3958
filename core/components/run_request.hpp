// Reads TorchX's run arguments from JSON, for `slipway run --stdin`.
#pragma once

#include <string>
#include <string_view>

#include "slipway/options.hpp"

namespace slipway::components {

/// The keys in JSON are the names of the members. component_name, scheduler and scheduler_args are
/// required. Semantics: TorchX's TorchXRunArgs.
struct RunRequest {
  std::string component_name, scheduler;
  Dict<Value> scheduler_args;  ///< run options
  Dict<Value> scheduler_cfg;   ///< further run options, which override scheduler_args
  Dict<Value> component_args;
  StrList component_args_str;  ///< words as on the command line; component_args override them
  bool dryrun = false;
  bool wait = false;
  bool log = false;           ///< print the replicas' output while the app runs
  bool tee_logs = false;      ///< the same as `log`, because lines always name their replica
  std::string workspace;      ///< empty: that of `run --workspace`, if given
  std::string parent_run_id;  ///< the experiment that the run belongs to, for trackers; or empty
};

/// Reads a request. Throws InvalidApp with every problem and its place: the text is not a JSON
/// object, keys are missing or unknown, values have the wrong type. `source` names the text in
/// messages.
RunRequest parse_run_request(std::string_view json, const std::string& source);

}  // namespace slipway::components
