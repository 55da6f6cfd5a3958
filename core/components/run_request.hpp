// TorchX's run arguments as JSON: what `slipway run --stdin` reads.
#pragma once

#include <string>
#include <string_view>

#include "slipway/options.hpp"

namespace slipway::components {

/// The keys are the names of the members; those of the first line are required. Semantics: TorchX's
/// TorchXRunArgs.
struct RunRequest {
  std::string component_name, scheduler;
  Dict<Value> scheduler_args;
  Dict<Value> scheduler_cfg;  ///< more of the same, laid over scheduler_args
  Dict<Value> component_args;
  StrList component_args_str;  ///< words, as on the command line; component_args win over them
  bool dryrun = false;
  bool wait = false;
  bool log = false;
  bool tee_logs = false;
  std::string workspace;  ///< empty: the working directory
  std::string parent_run_id;
};

/// Throws InvalidApp with every problem and its place: no JSON object, missing and unknown keys,
/// values of another type. `source` names the text in messages.
RunRequest parse_run_request(std::string_view json, const std::string& source);

}  // namespace slipway::components
