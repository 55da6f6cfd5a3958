#include "core/status/outcome.hpp"

#include <fmt/core.h>

#include "core/status/first_failure.hpp"
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

}  // namespace slipway
