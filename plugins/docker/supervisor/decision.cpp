#include "plugins/docker/supervisor/decision.hpp"

#include <algorithm>
#include <utility>

namespace slipway::docker {

namespace {

using rules::Verdict;

constexpr std::int64_t kNsPerMs = 1'000'000;

/// Returns whether the last attempt has started and not ended.
bool is_running(const ReplicaProgress& replica) {
  const std::string& status = replica.current().status;
  return status == "running" || status == "paused" || status == "restarting";
}

class Decider {
 public:
  Decider(const AppRules& rules, const AppProgress& progress, const Observed& observed)
      : rules_(rules), progress_(progress), observed_(observed) {
    for (std::size_t role = 0; role < rules.roles.size(); ++role)
      wanted_.push_back(progress.round(role));
  }

  Decision decide() {
    Mark cause = progress_.stop_cause();
    if (cause == Mark::kNone && observed_.is_cancelled) cause = Mark::kCancelled;
    if (cause == Mark::kNone && exceeds_app_timeout()) cause = Mark::kAppTimeout;
    if (cause == Mark::kNone && !progress_.work_is_done()) cause = cause_of_failures();
    if (cause != Mark::kNone) {
      stop_all(cause);
    } else if (progress_.work_is_done()) {
      stop_services();
    } else {
      restart();
      retry();
      const StartConditions conditions(rules_, progress_, observed_.is_ready);
      fail_dependents(conditions);
      start(conditions);
      stop_overdue();
    }
    return std::move(out_);
  }

 private:
  void wake_after(std::int64_t ns) {
    out_.wait_ns = std::min(out_.wait_ns, std::max<std::int64_t>(ns, 0));
  }

  /// Stops the replica. Keeps a mark that its container already has.
  void stop(const ReplicaProgress& replica, Mark mark) {
    if (replica.current().mark == Mark::kNone || is_running(replica))
      out_.stops.push_back({&replica.current(),
                            replica.current().mark == Mark::kNone ? mark : replica.current().mark});
  }

  bool exceeds_app_timeout() {
    const std::int64_t limit = rules_.life.app_timeout_ms * kNsPerMs;
    if (limit == 0 || progress_.work_is_done()) return false;
    const Container* first = nullptr;
    for (const ReplicaProgress& replica : progress_.replicas()) {
      for (const Container* one : replica.attempts) {
        if (one->started_at && (first == nullptr || *one->started_at < *first->started_at))
          first = one;
      }
    }
    if (first == nullptr) return false;
    const std::int64_t left = limit - observed_.age(*first, *first->started_at);
    if (left > 0) wake_after(left);
    return left <= 0;
  }

  /// Returns the mark with which failures that are not retried stop the app; kNone if they do not.
  Mark cause_of_failures() const {
    for (std::size_t role = 0; role < rules_.roles.size(); ++role) {
      if (!progress_.has_failed(role)) continue;
      if (rules_.roles[role].rules.min_replicas > 0) return Mark::kTooFew;
      if (rules_.life.fail_fast) return Mark::kFailFast;
    }
    return Mark::kNone;
  }

  void stop_all(Mark cause) {
    for (const ReplicaProgress& replica : progress_.replicas()) {
      const Container& last = replica.current();
      if (replica.is_final()) continue;
      // A mark of the container alone would let the replica start again, so the app's mark replaces
      // it.
      if (!stops_app(last.mark) || is_running(replica))
        out_.stops.push_back({&last, stops_app(last.mark) ? last.mark : cause});
    }
  }

  /// Stops each service as soon as no running service depends on it.
  void stop_services() {
    std::vector<bool> needed(rules_.roles.size());  // by role: a running service depends on it
    std::vector<std::size_t> open;                  // roles whose dependencies are not marked yet
    for (const ReplicaProgress& replica : progress_.replicas()) {
      if (!replica.is_final()) open.push_back(replica.role);
    }
    while (!open.empty()) {
      const std::size_t role = open.back();
      open.pop_back();
      for (const std::size_t other : rules_.roles[role].awaited_roles) {
        if (needed[other]) continue;
        needed[other] = true;
        open.push_back(other);
      }
    }
    for (const ReplicaProgress& replica : progress_.replicas()) {
      const bool has_turn = !needed[replica.role] || !is_running(replica);
      if (!replica.is_final() && has_turn) stop(replica, Mark::kWorkDone);
    }
  }

  /// Finds the roles that start a new round. Stops their attempts of the old round, and creates
  /// those of the new round when no old one runs.
  void restart() {
    for (const ReplicaProgress& replica : progress_.replicas()) {
      if (replica.is_old) continue;
      if (replica.verdict == Verdict::kRestartRole)
        wanted_[replica.role].role_restarts = progress_.role_restarts(replica.role) + 1;
      if (replica.verdict == Verdict::kRestartApp) restarts_app_ = true;
    }
    for (std::size_t role = 0; restarts_app_ && role < wanted_.size(); ++role)
      wanted_[role] = {progress_.app_restarts() + 1, progress_.role_restarts(role)};
    std::vector<bool> old_one_runs(wanted_.size());
    for (const ReplicaProgress& replica : progress_.replicas()) {
      if (!is_behind(replica) || !is_running(replica)) continue;
      old_one_runs[replica.role] = true;
      stop(replica, Mark::kRestarted);
    }
    const bool any_old_one_runs =
        std::find(old_one_runs.begin(), old_one_runs.end(), true) != old_one_runs.end();
    for (const ReplicaProgress& replica : progress_.replicas()) {
      if (!is_behind(replica)) continue;
      const Round& wanted = wanted_[replica.role];
      const bool whole_app = wanted.app_restarts != replica.current().app_restarts();
      if (!(whole_app ? any_old_one_runs : old_one_runs[replica.role]))
        out_.attempts.push_back({&replica.current(), wanted});
    }
  }

  /// Returns whether the replica has no attempt in the wanted round.
  bool is_behind(const ReplicaProgress& replica) const {
    return round_of(replica.current()) != wanted_[replica.role];
  }

  void retry() {
    for (const ReplicaProgress& replica : progress_.replicas()) {
      if (!is_behind(replica) && replica.verdict == Verdict::kRetryReplica)
        out_.attempts.push_back({&replica.current(), wanted_[replica.role]});
    }
  }

  /// Returns whether the last attempt belongs to the wanted round and is not being stopped.
  bool may_act_on(const ReplicaProgress& replica) const {
    return !is_behind(replica) && replica.current().mark == Mark::kNone;
  }

  void fail_dependents(const StartConditions& conditions) {
    for (const ReplicaProgress& replica : progress_.replicas()) {
      const bool waits = may_act_on(replica) && !replica.current().has_started();
      if (waits && conditions.order_of(replica.role) == Order::kNever)
        stop(replica, Mark::kDependency);
    }
  }

  void start(const StartConditions& conditions) {
    // Nothing of an app starts while it is being restarted.
    if (restarts_app_) return;
    std::size_t running = conditions.running_work();
    for (const ReplicaProgress& replica : progress_.replicas()) {
      if (!may_act_on(replica) || replica.current().has_started()) continue;
      if (conditions.order_of(replica.role) != Order::kMayStart ||
          !conditions.has_slot(replica.role, running) || !is_due(conditions, replica))
        continue;
      out_.starts.push_back(&replica.current());
      if (!rules_.roles[replica.role].rules.service) ++running;
    }
  }

  bool is_due(const StartConditions& conditions, const ReplicaProgress& replica) {
    const Pause pause = conditions.pause_before(replica);
    if (!pause.begins_at) return true;
    const std::int64_t left = pause.length_ns - observed_.age(replica.current(), *pause.begins_at);
    if (left > 0) wake_after(left);
    return left <= 0;
  }

  void stop_overdue() {
    for (const ReplicaProgress& replica : progress_.replicas()) {
      const rules::RoleRules& own = rules_.roles[replica.role].rules;
      if (!is_running(replica) || !may_act_on(replica) || !replica.current().started_at) continue;
      const std::int64_t ran = observed_.age(replica.current(), *replica.current().started_at);
      const std::int64_t limit = own.timeout_ms.value_or(rules_.life.timeout_ms) * kNsPerMs;
      if (limit != 0 && !own.service) stop_after(replica, limit - ran, Mark::kTimeout);
      const rules::ReadyProbe& probe = rules_.roles[replica.role].ready;
      const std::int64_t within = probe.within_ms * kNsPerMs;
      if (probe.kind != rules::ReadyProbe::Kind::kNone && within != 0 &&
          !observed_.is_ready(replica.current())) {
        // A successor does not know whether the container was ready before.
        const std::int64_t probed = observed_.time_since_first_probe(replica.current());
        stop_after(replica, within - std::min(ran, probed), Mark::kNotReady);
      }
    }
  }

  void stop_after(const ReplicaProgress& replica, std::int64_t left, Mark mark) {
    if (left > 0) {
      wake_after(left);
    } else {
      stop(replica, mark);
    }
  }

  const AppRules& rules_;
  const AppProgress& progress_;
  const Observed& observed_;
  std::vector<Round> wanted_;  // by role: the round that its attempts must have
  bool restarts_app_ = false;
  Decision out_;
};

}  // namespace

Decision decide(const AppRules& rules, const AppProgress& progress, const Observed& observed) {
  return Decider(rules, progress, observed).decide();
}

}  // namespace slipway::docker
