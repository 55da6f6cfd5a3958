#include "plugins/docker/state/app_progress.hpp"

#include <algorithm>

#include "plugins/docker/request/container_plan.hpp"

namespace slipway::docker {

namespace {

using rules::Reason;
using rules::Verdict;

/// Returns the end of the container as a status of waitpid().
std::int32_t wait_status_of(const Container& container) {
  if (const int signal = signal_of(container)) return signal;
  return (container.exit_code.value_or(0) & 0xff) << 8;
}

bool is_same_replica(const Container& a, const Container& b) {
  return a.replica() == b.replica() && a.role() == b.role();
}

}  // namespace

Round round_of(const Container& container) {
  return {container.app_restarts(), container.role_restarts()};
}

AppProgress::AppProgress(const std::optional<AppRules>& rules,
                         const std::vector<Container>& containers)
    : rules_(rules) {
  group(containers);
  count_restarts(containers);
  find_states();
}

void AppProgress::group(const std::vector<Container>& containers) {
  std::string role;
  std::size_t number = 0;
  for (const Container& container : containers) {
    const bool is_first = replicas_.empty();
    if (is_first || !is_same_replica(replicas_.back().current(), container)) {
      if (!is_first && container.role() != role) ++number;
      role = container.role();
      if (rules_) number = rules_->role(role).value_or(0);
      replicas_.emplace_back();
      replicas_.back().role = number;
    }
    replicas_.back().attempts.push_back(&container);
  }
  const std::size_t roles = std::max(rules_ ? rules_->roles.size() : 0, number + 1);
  role_restarts_.assign(roles, 0);
  failed_.assign(roles, 0);
  for_good_.assign(roles, 0);
}

void AppProgress::count_restarts(const std::vector<Container>& containers) {
  for (const ReplicaProgress& replica : replicas_) {
    for (const Container* one : replica.attempts) {
      app_restarts_ = std::max(app_restarts_, one->app_restarts());
      std::int32_t& restarts = role_restarts_[replica.role];
      restarts = std::max(restarts, one->role_restarts());
    }
  }
  for (const Container& container : containers) {
    has_started_ = has_started_ || container.has_started();
    work_is_done_ = work_is_done_ || container.mark == Mark::kWorkDone;
    // Of several marks, the first one in the enum counts.
    const bool is_stronger = stop_cause_ == Mark::kNone || container.mark < stop_cause_;
    if (stops_app(container.mark) && is_stronger) stop_cause_ = container.mark;
  }
}

bool AppProgress::is_service(std::size_t role) const {
  return rules_ && rules_->roles[role].rules.service;
}

bool AppProgress::has_failed(std::size_t role) const {
  if (!rules_) return for_good_[role] > 0;
  const RoleInApp& one = rules_->roles[role];
  return !rules::tolerates(one.rules, static_cast<std::uint32_t>(one.replicas), for_good_[role]);
}

void AppProgress::find_states() {
  for (ReplicaProgress& replica : replicas_) {
    replica.state = state_of(replica.current());
    if (!rules_) {
      if (replica.state == AppState::kFailed) ++for_good_[replica.role];
      continue;
    }
    replica.is_old = round_of(replica.current()) != round(replica.role);
    if (replica.state == AppState::kSubmitted) replica.state = AppState::kPending;
    if (replica.state == AppState::kFailed && !replica.is_old) ++failed_[replica.role];
  }
  if (!rules_) return;
  // Services come last: what follows their end depends on whether the work is done.
  for (const bool services : {false, true}) {
    for (ReplicaProgress& replica : replicas_) {
      if (is_service(replica.role) == services) apply_rules(replica);
    }
    if (services) break;
    const bool is_done = std::all_of(
        replicas_.begin(), replicas_.end(),
        [&](const ReplicaProgress& one) { return is_service(one.role) || one.is_final(); });
    work_is_done_ = work_is_done_ || is_done;
  }
}

/// Decides whether another attempt follows the replica's end. If so, sets its state to PENDING.
void AppProgress::apply_rules(ReplicaProgress& replica) {
  const Container& last = replica.current();
  const RoleInApp& role = rules_->roles[replica.role];
  const bool may_follow = stop_cause_ == Mark::kNone && !work_is_done_;
  if (replica.is_final() && (replica.is_old || last.mark == Mark::kRestarted)) {
    if (may_follow) {
      replica.state = AppState::kPending;
      return;
    }
    if (last.mark == Mark::kRestarted) return;  // CANCELLED
  }
  if (replica.state != AppState::kFailed) return;
  rules::Failure& failure = replica.failure;
  failure.reason = reason_of(last);
  failure.wait_status = wait_status_of(last);
  failure.work_is_done = work_is_done_;
  failure.role_restarts = static_cast<std::uint32_t>(role_restarts_[replica.role]);
  failure.app_restarts = static_cast<std::uint32_t>(app_restarts_);
  failure.replicas = static_cast<std::uint32_t>(role.replicas);
  failure.attempts_in_round = static_cast<std::uint32_t>(
      std::count_if(replica.attempts.begin(), replica.attempts.end(),
                    [&](const Container* one) { return round_of(*one) == round_of(last); }));
  // verdict_on() must not be asked about these two reasons, which are never retried.
  const bool is_retried =
      may_follow && failure.reason != Reason::kSpawnFailed && failure.reason != Reason::kDependency;
  if (is_retried) {
    failure.failed_for_good = failed_[replica.role] - 1;  // without this replica
    replica.verdict = rules::verdict_on(
        failure, role.rules, role.rules.retry_on ? *role.rules.retry_on : rules_->life.retry_on);
  }
  if (replica.verdict == Verdict::kForGood) {
    ++for_good_[replica.role];
  } else {
    replica.state = AppState::kPending;
  }
}

AppState AppProgress::state() const {
  bool is_failed = stop_cause_ != Mark::kNone;
  for (const ReplicaProgress& replica : replicas_) {
    if (!replica.is_final()) {
      if (!rules_) return replica.state;
      return has_started_ ? AppState::kRunning : AppState::kSubmitted;
    }
    is_failed = is_failed || (!is_service(replica.role) && has_failed(replica.role));
  }
  if (stop_cause_ == Mark::kCancelled) return AppState::kCancelled;
  return is_failed ? AppState::kFailed : AppState::kSucceeded;
}

std::optional<AppRules> rules_of(const std::vector<Container>& containers) {
  for (const Container& container : containers) {
    const std::string text = container.label(kRulesLabel);
    if (!text.empty()) return rules_in(text);
  }
  return std::nullopt;
}

}  // namespace slipway::docker
