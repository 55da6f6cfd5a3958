#include "core/cli/commands/stdin_request.hpp"

#include <utility>

#include "core/cli/terminal/standard_input.hpp"
#include "core/components/run_request.hpp"

namespace slipway::cli {

RunCommand read_request(RunCommand command) {
  components::RunRequest request = components::parse_run_request(read_standard_input(), "stdin");
  if (!request.workspace.empty()) command.workspace = std::move(request.workspace);
  command.app = std::move(request.component_name);
  command.scheduler = std::move(request.scheduler);
  command.component.words = std::move(request.component_args_str);
  command.component.values = std::move(request.component_args);
  command.cfg_values = std::move(request.scheduler_args);
  for (auto& [key, value] : request.scheduler_cfg) set(command.cfg_values, key, std::move(value));
  command.dryrun = command.dryrun || request.dryrun;
  command.wait = command.wait || request.wait;
  // lines have their replica in front anyway, which is all that tee_logs adds
  command.log = command.log || request.log || request.tee_logs;
  if (!request.parent_run_id.empty()) command.parent_run_id = std::move(request.parent_run_id);
  return command;
}

}  // namespace slipway::cli
