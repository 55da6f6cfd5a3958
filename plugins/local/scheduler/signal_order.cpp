#include "plugins/local/scheduler/signal_order.hpp"

#include <algorithm>
#include <cstdint>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/control.hpp"
#include "plugins/local/scheduler/app_description.hpp"
#include "slipway/error.hpp"
#include "slipway/log_targets.hpp"

namespace slipway::local {

namespace {

/// Returns the snapshot of the app. Throws kNotFound if it does not exist.
AppSnapshot read_or_refuse(const AppRef& app, HelperPath helper_path) {
  auto snapshot = read_repaired(app, helper_path);
  if (!snapshot) throw Error(Code::kNotFound, "there is no app " + app.app_id);
  return *std::move(snapshot);
}

/// Throws kPrecondition if the app has ended.
void refuse_ended(const AppSnapshot& app) {
  if (!is_terminal(app.state)) return;
  throw Error(Code::kPrecondition,
              "the app " + app.app_id + " is " + std::string(to_string(app.state)) +
                  ": none of its replicas is running",
              "`slipway rerun` starts it again");
}

/// Returns why a replica did not get the signal, for SignalResult::why.
std::string why_not_sent(const ReplicaSnapshot& replica) {
  if (replica.state == AppState::kPending) return "not started yet (PENDING)";
  if (replica.state != AppState::kRunning)
    return "ended (" + std::string(to_string(replica.state)) + ")";
  return "is ending, or runs as another user";
}

}  // namespace

std::vector<SignalResult> carry_out(const SignalOrder& order, const AppRef& app,
                                    HelperPath helper_path) {
  const AppSnapshot snapshot = read_or_refuse(app, helper_path);
  check_targets(app.app_id, role_sizes(snapshot), order.targets);
  refuse_ended(snapshot);
  std::vector<SignalResult> out;
  std::vector<std::uint32_t> numbers;
  std::uint32_t number = 0;
  for (const RoleSnapshot& role : snapshot.roles) {
    for (const ReplicaSnapshot& replica : role.replicas) {
      if (order.names(role.name, replica.id)) {
        // `sent` becomes true below.
        out.push_back({.role = role.name, .replica = replica.id, .why = why_not_sent(replica)});
        numbers.push_back(number);
      }
      ++number;
    }
  }
  const std::vector<std::uint32_t> reached =
      signal_replicas(app, helper_path, order.signal, numbers);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!std::binary_search(reached.begin(), reached.end(), numbers[i])) continue;
    out[i].sent = true;
    out[i].why.clear();
  }
  // The app may have ended since the first look.
  if (reached.empty()) refuse_ended(read_or_refuse(app, helper_path));
  return out;
}

}  // namespace slipway::local
