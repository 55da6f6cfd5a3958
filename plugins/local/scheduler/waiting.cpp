#include "plugins/local/scheduler/waiting.hpp"

#include <algorithm>

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/replica_needs.hpp"
#include "sdk/support/rules/start_rules.hpp"
#include "sdk/support/rules/wait_words.hpp"

namespace slipway::local {

namespace {

/// Returns whether the replica is as far as a dependency requires.
bool has_reached(const ReplicaSnapshot& replica, Dependency::Until until) {
  rules::AwaitedReplica awaited;
  // Merged replicas (Detail::kMerged) have no start time.
  awaited.has_started = replica.state != AppState::kPending;
  awaited.is_running = replica.state == AppState::kRunning;
  awaited.has_succeeded = replica.state == AppState::kSucceeded;
  awaited.is_ready = replica.ready.value_or(false);
  return rules::is_met(until, awaited);
}

/// Returns the dependencies of a group that are not met, such as "db to succeed"; empty: none.
std::string dependencies_text(const LaunchGroup& group, const AppSnapshot& app) {
  std::string out;
  for (const Dependency& one : group.needs.after) {
    const auto role =
        std::find_if(app.roles.begin(), app.roles.end(),
                     [&](const RoleSnapshot& candidate) { return candidate.name == one.role; });
    if (role == app.roles.end()) continue;
    const bool met = std::all_of(
        role->replicas.begin(), role->replicas.end(),
        [&](const ReplicaSnapshot& replica) { return has_reached(replica, one.until); });
    if (!met) out += (out.empty() ? "" : " and ") + rules::dependency_text(one);
  }
  return out;
}

/// Returns the number of running replicas that take a slot of max_parallel: all but those of
/// services.
std::int64_t running_work(const AppSnapshot& app) {
  std::int64_t out = 0;
  for (const RoleSnapshot& role : app.roles) {
    for (const ReplicaSnapshot& replica : role.replicas)
      out += replica.state == AppState::kRunning && !replica.service ? replica.count : 0;
  }
  return out;
}

}  // namespace

std::map<std::string, std::string> waits_of(const LaunchPlan& plan, const AppSnapshot& app) {
  std::map<std::string, std::string> out;
  const std::int32_t slots = plan.rules.max_parallel;
  const bool is_full = slots != 0 && running_work(app) >= slots;
  for (const LaunchGroup& group : plan.groups) {
    std::string text = dependencies_text(group, app);
    if (text.empty() && is_full && !group.rules.service) text = rules::slot_text(slots);
    if (!text.empty()) out.emplace(group.role, std::move(text));
  }
  return out;
}

Wait pause_of(const ReplicaSnapshot& replica) {
  const std::int64_t left = replica.due_ns - boottime_ns();
  if (left <= 0) return {};
  return {rules::pause_text(left), realtime_ns() + left};
}

}  // namespace slipway::local
