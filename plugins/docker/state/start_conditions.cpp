#include "plugins/docker/state/start_conditions.hpp"

#include <algorithm>

#include "sdk/support/checksum.hpp"
#include "sdk/support/rules/start_rules.hpp"
#include "sdk/support/rules/wait_words.hpp"

namespace slipway::docker {

namespace {

using rules::Dependency;

constexpr std::int64_t kNsPerMs = 1'000'000;

bool has_started_in_round(const AppProgress& progress, const ReplicaProgress& replica) {
  return std::any_of(replica.attempts.begin(), replica.attempts.end(), [&](const Container* one) {
    return one->has_started() && round_of(*one) == progress.round(replica.role);
  });
}

rules::AwaitedReplica awaited_replica(const AppProgress& progress, const ReplicaProgress& replica,
                                      Dependency::Until until, const IsReady& is_ready) {
  rules::AwaitedReplica out;
  out.has_started = until == Dependency::Until::kStarted && has_started_in_round(progress, replica);
  out.is_running = replica.state == AppState::kRunning;
  out.has_succeeded = replica.state == AppState::kSucceeded;
  out.has_failed = replica.state == AppState::kFailed;
  out.is_ready = until == Dependency::Until::kHealthy && is_ready(replica.current());
  return out;
}

}  // namespace

StartConditions::StartConditions(const AppRules& rules, const AppProgress& progress,
                                 const IsReady& is_ready)
    : rules_(rules), progress_(progress), roles_(rules.roles.size()) {
  for (const ReplicaProgress& replica : progress.replicas()) add(replica);
  for (std::size_t role = 0; role < roles_.size(); ++role) find_order(role, is_ready);
}

void StartConditions::End::add(const Container& attempt) {
  if (!attempt.finished_at) return;
  if (!last || *attempt.finished_at > *last) last = attempt.finished_at;
  if (state_of(attempt) != AppState::kFailed) return;
  if (failed == nullptr || *attempt.finished_at > *failed->finished_at) failed = &attempt;
}

void StartConditions::add(const ReplicaProgress& replica) {
  RoleState& role = roles_[replica.role];
  role.replicas.push_back(&replica);
  if (replica.state == AppState::kRunning && !progress_.is_service(replica.role)) ++running_work_;
  for (const Container* one : replica.attempts) {
    const Round round = round_of(*one);
    role.ends[{round.app_restarts, round.role_restarts}].add(*one);
    app_ends_[round.app_restarts].add(*one);
    if (one->has_started() && round.app_restarts == progress_.app_restarts())
      role.has_started = true;
  }
}

void StartConditions::find_order(std::size_t number, const IsReady& is_ready) {
  RoleState& role = roles_[number];
  if (role.has_started) return;
  const RoleInApp& one = rules_.roles[number];
  for (std::size_t edge = 0; edge < one.order.size(); ++edge) {
    const Dependency::Until until = one.order[edge].until;
    bool is_met = true;
    for (const ReplicaProgress* other : roles_[one.awaited_roles[edge]].replicas) {
      const rules::AwaitedReplica now = awaited_replica(progress_, *other, until, is_ready);
      is_met = is_met && !other->is_old && rules::is_met(until, now);
      if (rules::can_never_be_met(until, now)) role.order = Order::kNever;
    }
    if (is_met) continue;
    if (role.order == Order::kMayStart) role.order = Order::kWaits;
    role.awaited += (role.awaited.empty() ? "" : " and ") + rules::dependency_text(one.order[edge]);
  }
}

Pause StartConditions::pause_before(const ReplicaProgress& replica) const {
  if (replica.attempts.size() < 2) return {};
  const Container& next = replica.current();
  const Container& previous = *replica.attempts[replica.attempts.size() - 2];
  const bool is_app_restart = previous.app_restarts() < next.app_restarts();
  const bool is_retry = round_of(previous) == round_of(next);
  // After a retry: the end of the previous attempt. After a restart of the role or app: the ends of
  // all attempts of its last round.
  End ends;
  if (is_retry) {
    ends.add(previous);
  } else if (is_app_restart) {
    const auto found = app_ends_.find(next.app_restarts() - 1);
    if (found != app_ends_.end()) ends = found->second;
  } else {
    const auto& own = roles_[replica.role].ends;
    const auto found = own.find({next.app_restarts(), next.role_restarts() - 1});
    if (found != own.end()) ends = found->second;
  }
  Pause out;
  out.begins_at = ends.last;
  if (!out.begins_at || ends.failed == nullptr) return out;
  const auto in_round =
      std::count_if(replica.attempts.begin(), replica.attempts.end(),
                    [&](const Container* one) { return round_of(*one) == round_of(next); });
  // Counts from 0: in_round includes the first attempt and the next one.
  const std::int64_t retry = is_retry         ? in_round - 2
                             : is_app_restart ? next.app_restarts() - 1
                                              : next.role_restarts() - 1;
  const auto role = rules_.role(ends.failed->role());
  const auto& own = rules_.roles[role.value_or(replica.role)].rules.backoff;
  const rules::Backoff& backoff = own ? *own : rules_.life.backoff;
  out.length_ns = backoff.delay_ms(static_cast<std::uint32_t>(std::max<std::int64_t>(retry, 0)),
                                   crc32(ends.failed->id)) *
                  kNsPerMs;
  return out;
}

bool StartConditions::has_slot(std::size_t role, std::size_t running) const {
  const auto slots = static_cast<std::size_t>(rules_.life.max_parallel);
  return slots == 0 || rules_.roles[role].rules.service || running < slots;
}

Wait StartConditions::wait_of(const ReplicaProgress& replica, std::int64_t now_ns) const {
  if (replica.state != AppState::kPending || replica.is_old || replica.current().has_started())
    return {};
  const Pause pause = pause_before(replica);
  if (pause.begins_at && *pause.begins_at + pause.length_ns > now_ns) {
    const std::int64_t end = *pause.begins_at + pause.length_ns;
    return {rules::pause_text(end - now_ns), end};
  }
  if (const std::string& role = roles_[replica.role].awaited; !role.empty()) return {role, {}};
  if (!has_slot(replica.role, running_work_))
    return {rules::slot_text(rules_.life.max_parallel), {}};
  return {};
}

}  // namespace slipway::docker
