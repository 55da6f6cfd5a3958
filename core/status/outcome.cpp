#include "core/status/outcome.hpp"

#include <fmt/core.h>

#include <boost/json.hpp>
#include <cstdint>
#include <limits>

#include "sdk/support/signal_name.hpp"

namespace slipway {

std::string outcome(const ReplicaStatus& replica) {
  if (!is_terminal(replica.state))
    return replica.pid > 0 ? fmt::format("pid {}", replica.pid) : std::string();
  if (replica.reason == "spawn_failed") return "could not be started";
  if (replica.reason == "lost") return "lost: its end was not observed";
  if (replica.reason == "work_done") return "stopped: the other roles have ended";
  std::string out;
  if (replica.signal > 0) {
    out = "killed by " + signal_name(replica.signal);
  } else if (replica.exit_code && *replica.exit_code != 0) {
    out = fmt::format("exit {}", *replica.exit_code);
  }
  if (!replica.reason.empty() && replica.reason != "exit" && replica.reason != "signal" &&
      replica.reason != "cancelled") {
    out += (out.empty() ? "" : ", ") + replica.reason;
  }
  return out;
}

std::string ending_text(AppState state, std::optional<std::int32_t> exit_code, std::int32_t signal,
                        const std::string& reason) {
  if (reason == "spawn_failed") return "could not be started";
  if (reason == "lost") return "was lost: its end was not observed";
  if (reason == "oom") return "ran out of memory";
  if (reason == "timeout") return "exceeded its time limit";
  if (reason == "not_ready") return "was not ready in time";
  if (reason == "dependency") return "did not run, because another role failed";
  if (reason == "restarted") return "was stopped for a restart";
  if (reason == "work_done") return "was stopped, because the other roles have ended";
  if (state == AppState::kCancelled) return "was cancelled";
  if (signal > 0) return "was killed by " + signal_name(signal);
  if (state == AppState::kSucceeded) return "succeeded";
  if (exit_code) return fmt::format("exited with {}", *exit_code);
  return fmt::format("is {}", to_string(state));
}

const ReplicaStatus* first_failure(const Description& app, const RoleStatus** role) {
  const ReplicaStatus* first = nullptr;
  std::int64_t earliest = std::numeric_limits<std::int64_t>::max();
  for (const RoleStatus& candidate : app.roles) {
    for (const ReplicaStatus& replica : candidate.replicas) {
      if (replica.state != AppState::kFailed) continue;
      // A replica without an end time comes after all others.
      const std::int64_t when =
          replica.finished_at.value_or(std::numeric_limits<std::int64_t>::max());
      if (first != nullptr && when >= earliest) continue;
      first = &replica;
      earliest = when;
      *role = &candidate;
    }
  }
  return first;
}

std::string failure_text(const Description& app) {
  const RoleStatus* role = nullptr;
  const ReplicaStatus* replica = first_failure(app, &role);
  if (replica == nullptr) return app.msg;
  // The app's message explains replicas that could not start or were not ready in time.
  if ((replica->reason == "spawn_failed" || replica->reason == "not_ready") && !app.msg.empty())
    return app.msg;
  return fmt::format(
      "{}/{} {}", role->role, replica->id,
      ending_text(replica->state, replica->exit_code, replica->signal, replica->reason));
}

namespace {

/// Returns a member of the scheduler's details about a replica; nullopt if it is no boolean.
std::optional<bool> detail_flag(const ReplicaStatus& replica, const char* name) {
  if (replica.details_json.empty()) return std::nullopt;
  boost::system::error_code error;
  const boost::json::value details = boost::json::parse(replica.details_json, error);
  if (error || !details.is_object()) return std::nullopt;
  const boost::json::value* const value = details.get_object().if_contains(name);
  if (value == nullptr || !value->is_bool()) return std::nullopt;
  return value->get_bool();
}

}  // namespace

std::optional<bool> readiness(const ReplicaStatus& replica) {
  return detail_flag(replica, "ready");
}

bool is_service(const RoleStatus& role) {
  return !role.replicas.empty() && detail_flag(role.replicas.front(), "service").value_or(false);
}

}  // namespace slipway
