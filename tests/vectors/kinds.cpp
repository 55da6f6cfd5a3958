#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {
namespace {

// A new kind is a source file in kinds/, its declaration in kinds.hpp, and a line here.
constexpr Kind kKinds[] = {
    {"app_handle_parse.json", run_app_handle_parse, kOrdered},
    {"app_state.json", run_app_state, 0},
    {"app_status_format.json", run_app_status_format, kOrdered},
    {"ids.json", run_ids, 0},
    {"join_path.json", run_join_path, 0},
    {"local_run.json", run_local_run, 0},
    // Roles keep their order; the variables of an environment have none.
    {"local_scheduler_dryrun.json", run_local_scheduler_dryrun, 2},
    {"macros_apply_role.json", run_macros_apply_role, kOrdered},
    {"macros_substitute.json", run_macros_substitute, 0},
    {"resource_copy.json", run_resource_copy, kOrdered},
    {"runner_errors.json", run_runner_errors, 0},
    {"split_lines.json", run_split_lines, 0},
};

}  // namespace

const Kind* find_kind(std::string_view file) {
  for (const Kind& kind : kKinds) {
    if (kind.file == file) return &kind;
  }
  return nullptr;
}

}  // namespace slipway::vectors
