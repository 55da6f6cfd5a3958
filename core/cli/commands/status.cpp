#include <algorithm>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/output/status_text.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/status/gpu_memory.hpp"

namespace slipway::cli {

namespace {

/// Returns the status for the text. Merged replicas have no earlier attempts, so queries the app
/// again if a role whose replicas have a line each has restarted replicas.
AppStatus status_for_text(Invocation& invocation, const AppHandle& handle) {
  AppStatus merged = existing_app(invocation, handle, StatusDetail::kMerged);
  const auto& roles = merged.description.roles;
  const bool shows_attempts = std::any_of(roles.begin(), roles.end(), [](const RoleStatus& role) {
    return has_line_each(role) &&
           std::any_of(role.replicas.begin(), role.replicas.end(),
                       [](const ReplicaStatus& replica) { return replica.restarts > 0; });
  });
  return shows_attempts ? existing_app(invocation, handle, StatusDetail::kReplicas) : merged;
}

}  // namespace

int status(Invocation& invocation, const StatusCommand& command) {
  const AppHandle handle = find_app(invocation, command.handle);
  AppStatus status = invocation.json() ? existing_app(invocation, handle, StatusDetail::kReplicas)
                                       : status_for_text(invocation, handle);
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
