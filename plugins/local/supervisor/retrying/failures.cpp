#include "plugins/local/supervisor/retrying/failures.hpp"

#include <sys/wait.h>

#include <string>
#include <vector>

namespace slipway::local {
namespace {

/// Returns `w/3 failed (exit code 1)`.
std::string failure_text(AppFiles& files, std::uint32_t index) {
  const ReplicaEntry entry = files.state().entry(index);
  const int status = entry.head.wait_status.load();
  std::string how(reason_name(static_cast<Reason>(entry.head.reason.load())));
  if (how == "exit") how = "exit code " + std::to_string(WEXITSTATUS(status));
  if (how == "signal") how = "signal " + std::to_string(WTERMSIG(status));
  return files.state().replica_name(index) + " failed (" + how + ')';
}

/// Returns `w/3 failed (signal 9): only 1 of 4 replicas of w can still succeed, fewer than its
/// min_replicas of 2`.
std::string too_few_text(AppFiles& files, const Replicas& replicas, std::uint32_t index) {
  const std::uint32_t role = files.role_of(index);
  const RoleSpan& span = files.roles()[role];
  return failure_text(files, index) + ": only " +
         std::to_string(span.count - replicas.failed_in(role)) + " of " +
         std::to_string(span.count) + " replicas of " + files.locate(index).first->role +
         " can still succeed, fewer than its min_replicas of " +
         std::to_string(span.rules.min_replicas);
}

}  // namespace

void Failures::decide() {
  std::vector<std::uint32_t> undecided;
  undecided.swap(replicas_.undecided());
  bool has_room = true;
  for (const std::uint32_t index : undecided) {
    // A restart because of another replica may have included this one.
    if (replicas_.state(index) != RecordState::kEnded) continue;
    if (files_.state().stop_cause() != StopCause::kNone) {
      decide_in_stop(index);
      continue;
    }
    const Verdict verdict = rules_.judge(index);
    if (verdict != Verdict::kForGood && !(has_room = has_room && pause_.reserve_attempts())) {
      replicas_.undecided().push_back(index);
      continue;
    }
    carry_out(verdict, index);
  }
  restarts_.advance();
}

/// Decides about a failure while the app is being stopped. A replica that would have started again
/// ends like those that wait for their next attempt: its end has the reason of the stop. The app's
/// message remains that of the stop.
void Failures::decide_in_stop(std::uint32_t index) {
  // Without room for the failed attempt, the replica keeps it as its last one.
  if (rules_.judge(index) == Verdict::kForGood || !files_.reserve_attempts())
    return replicas_.record_failure(index);
  replicas_.record_retry(index, 0);
  replicas_.cancel_if_pending(index, Reason::kCancelled);
}

void Failures::carry_out(Verdict verdict, std::uint32_t index) {
  if (verdict == Verdict::kForGood) return fail_for_good(index);
  const std::int64_t due_ns = rules_.due_after(index, verdict);
  if (verdict == Verdict::kRetryReplica) return restarts_.retry_replica(index, due_ns);
  if (verdict == Verdict::kRestartRole)
    return restarts_.restart_role(files_.role_of(index), due_ns);
  restarts_.restart_app(due_ns);
}

void Failures::fail_for_good(std::uint32_t index) {
  if (static_cast<Reason>(files_.state().head(index).reason.load()) == Reason::kNotReady)
    files_.set_message(readiness_.failure_text(index));
  replicas_.record_failure(index);
  stop_app_if_role_failed(index);
}

void Failures::stop_app_if_role_failed(std::uint32_t index) {
  const std::uint32_t role = files_.role_of(index);
  if (files_.state().stop_cause() != StopCause::kNone || replicas_.work_is_done() ||
      !rules_.role_has_failed(role))
    return;
  if (files_.roles()[role].rules.min_replicas > 0) {
    app_stopper_.stop(StopCause::kTooFew, too_few_text(files_, replicas_, index));
  } else if (files_.plan().rules.fail_fast) {
    app_stopper_.stop(
        StopCause::kFailFast,
        failure_text(files_, index) + " and the rest of the app was stopped, as fail_fast asks");
  }
}

void Failures::fail_dependents() {
  if (!dependencies_.has_any()) return;
  for (bool again = true; again;) {
    again = false;
    dependencies_.update();
    for (std::uint32_t role = 0; role < files_.roles().size(); ++role) {
      if (!dependencies_.can_never_start(role)) continue;
      const RoleSpan& span = files_.roles()[role];
      for (std::uint32_t i = span.first; i < span.first + span.count; ++i) {
        if (replicas_.state(i) != RecordState::kPending) continue;
        again = true;
        replicas_.record_dependency_failure(i);
        stop_app_if_role_failed(i);
        if (files_.state().stop_cause() != StopCause::kNone) return;
      }
    }
  }
}

}  // namespace slipway::local
