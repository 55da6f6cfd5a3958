#include "plugins/docker/state/start_conditions.hpp"

#include <algorithm>
#include <vector>

#include "sdk/support/checksum.hpp"
#include "sdk/support/rules/start_rules.hpp"
#include "sdk/support/rules/wait_words.hpp"

namespace slipway::docker {

namespace {

using rules::Dependency;

constexpr std::int64_t kNsPerMs = 1'000'000;

/// Returns whether the attempt belongs to the round whose end caused the restart before `next`.
bool is_of_round_before(const Container& one, const Container& next, bool is_app_restart) {
  if (is_app_restart) return one.app_restarts() == next.app_restarts() - 1;
  return one.role() == next.role() && one.app_restarts() == next.app_restarts() &&
         one.role_restarts() == next.role_restarts() - 1;
}

/// Returns the attempts that the last one of the replica replaces, with others of its role or app
/// if these also start again.
std::vector<const Container*> replaced(const AppProgress& progress, const ReplicaProgress& replica,
                                       bool is_retry, bool is_app_restart) {
  if (is_retry) return {replica.attempts[replica.attempts.size() - 2]};
  std::vector<const Container*> out;
  for (const ReplicaProgress& other : progress.replicas()) {
    for (const Container* one : other.attempts) {
      if (is_of_round_before(*one, replica.current(), is_app_restart)) out.push_back(one);
    }
  }
  return out;
}

bool has_started_in(const AppProgress& progress, const ReplicaProgress& replica) {
  return std::any_of(replica.attempts.begin(), replica.attempts.end(), [&](const Container* one) {
    return one->has_started() && round_of(*one) == progress.round(replica.role);
  });
}

rules::AwaitedReplica awaited(const AppProgress& progress, const ReplicaProgress& replica,
                              Dependency::Until until, const IsReady& is_ready) {
  rules::AwaitedReplica out;
  out.has_started = until == Dependency::Until::kStarted && has_started_in(progress, replica);
  out.is_running = replica.state == AppState::kRunning;
  out.has_succeeded = replica.state == AppState::kSucceeded;
  out.has_failed = replica.state == AppState::kFailed;
  out.is_ready = until == Dependency::Until::kHealthy && is_ready(replica.current());
  return out;
}

bool is_met(const AppRules& rules, const AppProgress& progress, std::size_t role, std::size_t edge,
            const IsReady& is_ready) {
  const RoleInApp& one = rules.roles[role];
  return std::all_of(
      progress.replicas().begin(), progress.replicas().end(), [&](const ReplicaProgress& other) {
        const Dependency::Until until = one.order[edge].until;
        return other.role != one.after[edge] ||
               (!other.is_old && rules::is_met(until, awaited(progress, other, until, is_ready)));
      });
}

bool was_let_start(const AppProgress& progress, std::size_t role) {
  return std::any_of(
      progress.replicas().begin(), progress.replicas().end(), [&](const ReplicaProgress& replica) {
        return replica.role == role &&
               std::any_of(
                   replica.attempts.begin(), replica.attempts.end(), [&](const Container* one) {
                     return one->has_started() && one->app_restarts() == progress.app_restarts();
                   });
      });
}

}  // namespace

Pause pause_before(const AppRules& rules, const AppProgress& progress,
                   const ReplicaProgress& replica) {
  if (replica.attempts.size() < 2) return {};
  const Container& next = replica.current();
  const Container& before = *replica.attempts[replica.attempts.size() - 2];
  const bool is_app_restart = before.app_restarts() < next.app_restarts();
  const bool is_retry = round_of(before) == round_of(next);
  Pause out;
  const Container* failed = nullptr;
  for (const Container* one : replaced(progress, replica, is_retry, is_app_restart)) {
    if (!one->finished_at) continue;
    if (!out.from || *one->finished_at > *out.from) out.from = one->finished_at;
    const bool is_later = failed == nullptr || *one->finished_at > *failed->finished_at;
    if (state_of(*one) == AppState::kFailed && is_later) failed = one;
  }
  if (!out.from || failed == nullptr) return out;
  const auto in_round =
      std::count_if(replica.attempts.begin(), replica.attempts.end(),
                    [&](const Container* one) { return round_of(*one) == round_of(next); });
  const std::int64_t retry = is_retry         ? in_round - 2
                             : is_app_restart ? next.app_restarts() - 1
                                              : next.role_restarts() - 1;
  const auto role = rules.role(failed->role());
  const auto& own = rules.roles[role.value_or(replica.role)].rules.backoff;
  const rules::Backoff& backoff = own ? *own : rules.life.backoff;
  out.length_ns = backoff.delay_ms(static_cast<std::uint32_t>(std::max<std::int64_t>(retry, 0)),
                                   crc32(failed->id)) *
                  kNsPerMs;
  return out;
}

Order order_of(const AppRules& rules, const AppProgress& progress, std::size_t role,
               const IsReady& is_ready) {
  const RoleInApp& one = rules.roles[role];
  if (one.order.empty() || was_let_start(progress, role)) return Order::kMayStart;
  Order out = Order::kMayStart;
  for (std::size_t edge = 0; edge < one.order.size(); ++edge) {
    const Dependency::Until until = one.order[edge].until;
    for (const ReplicaProgress& other : progress.replicas()) {
      if (other.role == one.after[edge] &&
          rules::can_never_be_met(until, awaited(progress, other, until, is_ready)))
        return Order::kNever;
    }
    if (!is_met(rules, progress, role, edge, is_ready)) out = Order::kWaits;
  }
  return out;
}

bool has_slot(const AppRules& rules, std::size_t role, std::size_t running) {
  const auto slots = static_cast<std::size_t>(rules.life.max_parallel);
  return slots == 0 || rules.roles[role].rules.service || running < slots;
}

std::size_t running_work(const AppProgress& progress) {
  return static_cast<std::size_t>(std::count_if(
      progress.replicas().begin(), progress.replicas().end(), [&](const ReplicaProgress& one) {
        return one.state == AppState::kRunning && !progress.is_service(one.role);
      }));
}

Wait wait_of(const AppRules& rules, const AppProgress& progress, const ReplicaProgress& replica,
             std::int64_t now_ns) {
  if (replica.state != AppState::kPending || replica.is_old || replica.current().has_started())
    return {};
  const Pause pause = pause_before(rules, progress, replica);
  if (pause.from && *pause.from + pause.length_ns > now_ns) {
    const std::int64_t end = *pause.from + pause.length_ns;
    return {rules::pause_text(end - now_ns), end};
  }
  const RoleInApp& role = rules.roles[replica.role];
  Wait out;
  if (!was_let_start(progress, replica.role)) {
    // Only the supervisor knows which containers are ready.
    const IsReady unknown = [](const Container&) { return false; };
    for (std::size_t edge = 0; edge < role.order.size(); ++edge) {
      if (is_met(rules, progress, replica.role, edge, unknown)) continue;
      out.text += (out.text.empty() ? "" : " and ") + rules::dependency_text(role.order[edge]);
    }
  }
  if (out.text.empty() && !has_slot(rules, replica.role, running_work(progress)))
    out.text = rules::slot_text(rules.life.max_parallel);
  return out;
}

}  // namespace slipway::docker
