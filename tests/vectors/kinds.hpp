// The vector files that the runner knows, and the function that runs a case of each.
#pragma once

#include <boost/json.hpp>
#include <limits>
#include <string_view>

#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

class Bench;

/// The order of keys matters at every level.
inline constexpr int kOrdered = std::numeric_limits<int>::max();

/// Returns Slipway's result for a case. The case is the function's own copy, in which it may
/// replace the placeholders of `expected` by real paths. Throws slipway::Error if Slipway refuses,
/// BenchError if the case cannot run.
using RunCase = json::value (*)(VectorCase& one, Bench& bench);

struct Kind {
  std::string_view file;  ///< "ids.json"
  RunCase run;
  int ordered_levels;  ///< see first_difference()
};

/// Returns the kind of a file by its name, or nullptr.
const Kind* find_kind(std::string_view file);

// Each function has a source file in kinds/.
json::value run_app_handle_parse(VectorCase& one, Bench& bench);
json::value run_app_state(VectorCase& one, Bench& bench);
json::value run_bind_mount_parse(VectorCase& one, Bench& bench);
json::value run_device_mounts(VectorCase& one, Bench& bench);
json::value run_docker_describe(VectorCase& one, Bench& bench);
json::value run_docker_dryrun(VectorCase& one, Bench& bench);
json::value run_file_linter(VectorCase& one, Bench& bench);
json::value run_filter_regex(VectorCase& one, Bench& bench);
json::value run_finder(VectorCase& one, Bench& bench);
json::value run_builders(VectorCase& one, Bench& bench);
json::value run_built_in_component(VectorCase& one, Bench& bench);
json::value run_cli_component_args(VectorCase& one, Bench& bench);
json::value run_component_docstring(VectorCase& one, Bench& bench);
json::value run_component_files(VectorCase& one, Bench& bench);
json::value run_component_help(VectorCase& one, Bench& bench);
json::value run_app_status_format(VectorCase& one, Bench& bench);
json::value run_ids(VectorCase& one, Bench& bench);
json::value run_join_path(VectorCase& one, Bench& bench);
json::value run_local_run(VectorCase& one, Bench& bench);
json::value run_local_scheduler_dryrun(VectorCase& one, Bench& bench);
json::value run_log_identifier(VectorCase& one, Bench& bench);
json::value run_log_prefix(VectorCase& one, Bench& bench);
json::value run_macros_apply_role(VectorCase& one, Bench& bench);
json::value run_macros_substitute(VectorCase& one, Bench& bench);
json::value run_named_resources(VectorCase& one, Bench& bench);
json::value run_normalize_str(VectorCase& one, Bench& bench);
json::value run_resource_copy(VectorCase& one, Bench& bench);
json::value run_resource_fn(VectorCase& one, Bench& bench);
json::value run_runopts_add(VectorCase& one, Bench& bench);
json::value run_runopts_cfg_from_json(VectorCase& one, Bench& bench);
json::value run_runopts_cfg_from_str(VectorCase& one, Bench& bench);
json::value run_runopts_repr(VectorCase& one, Bench& bench);
json::value run_runopts_resolve(VectorCase& one, Bench& bench);
json::value run_scheduler_env_vars(VectorCase& one, Bench& bench);
json::value run_runner_errors(VectorCase& one, Bench& bench);
json::value run_slurm_describe(VectorCase& one, Bench& bench);
json::value run_slurm_dryrun(VectorCase& one, Bench& bench);
json::value run_slurm_list(VectorCase& one, Bench& bench);
json::value run_slurm_schedule(VectorCase& one, Bench& bench);
json::value run_slurm_states(VectorCase& one, Bench& bench);
json::value run_split_lines(VectorCase& one, Bench& bench);
json::value run_to_dict(VectorCase& one, Bench& bench);
json::value run_structured_args(VectorCase& one, Bench& bench);
json::value run_torchx_config(VectorCase& one, Bench& bench);
json::value run_workspace(VectorCase& one, Bench& bench);

}  // namespace slipway::vectors
