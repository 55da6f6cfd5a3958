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
  std::string what = outcome(*replica);
  if (replica->exit_code && replica->reason == "exit")
    what = fmt::format("exited with {}", *replica->exit_code);
  if (replica->signal > 0) what = "was killed by " + signal_name(replica->signal);
  return fmt::format("{}/{} {}", role->role, replica->id, what);
}

std::optional<bool> readiness(const ReplicaStatus& replica) {
  if (replica.details_json.empty()) return std::nullopt;
  boost::system::error_code error;
  const boost::json::value details = boost::json::parse(replica.details_json, error);
  if (error || !details.is_object()) return std::nullopt;
  const boost::json::value* const ready = details.get_object().if_contains("ready");
  if (ready == nullptr || !ready->is_bool()) return std::nullopt;
  return ready->get_bool();
}

}  // namespace slipway
