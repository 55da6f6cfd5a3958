#include <algorithm>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/status_text.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/status/gpu_memory.hpp"

namespace slipway::cli {

int status(Invocation& invocation, const StatusCommand& command) {
  AppStatus status =
      existing_app(invocation, find_app(invocation, command.handle),
                   invocation.json() ? StatusDetail::kReplicas : StatusDetail::kMerged);
  add_gpu_memory(status.description);
  const std::vector<std::string> roles = comma_list(command.roles);
  for (const std::string& role : roles) {
    const auto& all = status.description.roles;
    if (std::none_of(all.begin(), all.end(), [&](const RoleStatus& r) { return r.role == role; })) {
      throw Error(Code::kNotFound, "app " + status.handle.app_id + " has no role " + role);
    }
  }
  if (!invocation.json()) {
    write_output(status_text(status, roles));
    return kExitOk;
  }
  auto& all = status.description.roles;
  if (!roles.empty()) {
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const RoleStatus& r) {
                               return std::find(roles.begin(), roles.end(), r.role) == roles.end();
                             }),
              all.end());
  }
  write_json(status_json(status));
  return kExitOk;
}

}  // namespace slipway::cli
