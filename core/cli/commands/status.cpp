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

/// Above this number of replicas, reading each one takes too long for a text that merges them
/// anyway.
constexpr std::int64_t kMostToRead = 10'000;

/// Returns whether the text shows values that merged replicas lack. If a replica with a line of its
/// own may have been retried, the text shows how the attempts of that replica ended. If replicas
/// are merged and an attempt has ended, the text shows what the ended attempts have used; this
/// alone does not count above kMostToRead.
bool needs_each_replica(const Description& app) {
  std::int64_t replicas = 0;
  bool is_merged = false;
  bool has_ended = false;
  for (const RoleStatus& role : app.roles) {
    for (const ReplicaStatus& replica : role.replicas) {
      // `restarts` does not count an attempt that could not start, or has not started yet.
      const bool may_be_retried = replica.restarts > 0 || replica.reason == "spawn_failed" ||
                                  (replica.state == AppState::kPending && is_started(app.state));
      if (may_be_retried && has_line_each(role)) return true;
      replicas += replica.count;
      is_merged = is_merged || replica.count > 1;
      has_ended = has_ended || replica.restarts > 0 || is_terminal(replica.state);
    }
  }
  return is_merged && has_ended && replicas <= kMostToRead;
}

/// Returns the status for the text. Queries the app again if merged replicas are not enough.
AppStatus status_for_text(Invocation& invocation, const AppHandle& handle) {
  AppStatus merged = existing_app(invocation, handle, StatusDetail::kMerged);
  return needs_each_replica(merged.description) ? existing_app(invocation, handle) : merged;
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
