#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {
namespace {

// A new kind needs a source file in kinds/, a declaration in kinds.hpp, and a line here.
constexpr Kind kKinds[] = {
    {"app_handle_parse.json", run_app_handle_parse, kOrdered},
    {"app_state.json", run_app_state, 0},
    {"bind_mount_parse.json", run_bind_mount_parse, kOrdered},
    {"device_mounts.json", run_device_mounts, kOrdered},
    {"docker_describe.json", run_docker_describe, 0},
    {"docker_dryrun.json", run_docker_dryrun, 0},
    {"file_linter.json", run_file_linter, 0},
    {"filter_regex.json", run_filter_regex, 0},
    {"finder.json", run_finder, 0},
    {"builders.json", run_builders, kOrdered},
    {"dist_ddp.json", run_built_in_component, 0},
    {"cli_component_args.json", run_cli_component_args, kOrdered},
    {"component_docstring.json", run_component_docstring, 0},
    {"component_files.json", run_component_files, 0},
    {"component_help.json", run_component_help, 0},
    {"app_status_format.json", run_app_status_format, kOrdered},
    {"ids.json", run_ids, 0},
    {"join_path.json", run_join_path, 0},
    {"local_run.json", run_local_run, 0},
    // The order of roles matters, that of environment variables does not.
    {"local_scheduler_dryrun.json", run_local_scheduler_dryrun, 2},
    {"log_identifier.json", run_log_identifier, 0},
    {"log_prefix.json", run_log_prefix, 0},
    {"macros_apply_role.json", run_macros_apply_role, kOrdered},
    {"macros_substitute.json", run_macros_substitute, 0},
    {"named_resources.json", run_named_resources, kOrdered},
    {"normalize_str.json", run_normalize_str, 0},
    {"resource_copy.json", run_resource_copy, kOrdered},
    {"resource_fn.json", run_resource_fn, 0},
    {"runopts_add.json", run_runopts_add, 0},
    {"runopts_cfg_from_json.json", run_runopts_cfg_from_json, kOrdered},
    {"runopts_cfg_from_str.json", run_runopts_cfg_from_str, kOrdered},
    {"runopts_repr.json", run_runopts_repr, 0},
    {"runopts_resolve.json", run_runopts_resolve, kOrdered},
    {"scheduler_env_vars.json", run_scheduler_env_vars, 0},
    {"runner_errors.json", run_runner_errors, 0},
    {"slurm_describe.json", run_slurm_describe, 0},
    {"slurm_dryrun.json", run_slurm_dryrun, kOrdered},
    {"slurm_list.json", run_slurm_list, 0},
    {"slurm_schedule.json", run_slurm_schedule, 0},
    {"slurm_states.json", run_slurm_states, 0},
    {"split_lines.json", run_split_lines, 0},
    {"to_dict.json", run_to_dict, kOrdered},
    {"structured_args.json", run_structured_args, 0},
    {"utils_components.json", run_built_in_component, 0},
    {"torchxconfig.json", run_torchx_config, 0},
    {"workspace.json", run_workspace, 0},
};

}  // namespace

const Kind* find_kind(std::string_view file) {
  for (const Kind& kind : kKinds) {
    if (kind.file == file) return &kind;
  }
  return nullptr;
}

}  // namespace slipway::vectors
