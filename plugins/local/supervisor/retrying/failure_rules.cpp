#include "plugins/local/supervisor/retrying/failure_rules.hpp"

#include "plugins/local/engine/clocks.hpp"

namespace slipway::local {
namespace {

// The word has 24 bits for the attempt.
constexpr std::uint32_t kMostAttempts = 0xFFFFF0;

}  // namespace

Verdict FailureRules::judge(std::uint32_t index) const {
  const std::uint32_t role = files_.role_of(index);
  const RoleRules& rules = files_.roles()[role].rules;
  const ReplicaEntry entry = files_.state().entry(index);
  const auto reason = static_cast<Reason>(entry.head.reason.load());
  const auto most = static_cast<std::uint32_t>(rules.max_retries);
  const RetryFilter& retried = rules.retry_on ? *rules.retry_on : files_.plan().rules.retry_on;
  // Nothing starts again once only services are left.
  if (most == 0 || replicas_.work_is_done() ||
      word_attempt(entry.head.word.load()) > kMostAttempts ||
      !retried.matches(reason, entry.head.wait_status.load())) {
    return Verdict::kForGood;
  }
  if (rules.scope == RetryScope::kReplica) {
    return rounds_.attempts_in_round(index) <= most ? Verdict::kRetryReplica : Verdict::kForGood;
  }
  // If the role succeeds without the replica, the other replicas are not restarted.
  if (rules.min_replicas > 0 && tolerates(role, replicas_.failed_in(role) + 1))
    return Verdict::kForGood;
  if (rules.scope == RetryScope::kRole)
    return rounds_.role_restarts(role) < most ? Verdict::kRestartRole : Verdict::kForGood;
  return rounds_.app_restarts() < most ? Verdict::kRestartApp : Verdict::kForGood;
}

std::int64_t FailureRules::due_after(std::uint32_t index, Verdict verdict) const {
  const std::uint32_t retry = verdict == Verdict::kRestartApp ? rounds_.app_restarts()
                              : verdict == Verdict::kRestartRole
                                  ? rounds_.role_restarts(files_.role_of(index))
                                  : rounds_.attempts_in_round(index) - 1;
  const std::int64_t now = boottime_ns();
  const auto random = static_cast<std::uint64_t>(now) + index;
  const RoleRules& rules = files_.roles()[files_.role_of(index)].rules;
  const Backoff& backoff = rules.backoff ? *rules.backoff : files_.plan().rules.backoff;
  return now + backoff.delay_ms(retry, random) * 1'000'000;
}

bool FailureRules::tolerates(std::uint32_t role, std::uint32_t failures) const {
  const RoleSpan& span = files_.roles()[role];
  if (span.rules.min_replicas == 0) return failures == 0;
  return span.count >= failures &&
         span.count - failures >= static_cast<std::uint32_t>(span.rules.min_replicas);
}

bool FailureRules::role_has_failed(std::uint32_t role) const {
  return !tolerates(role, replicas_.failed_in(role));
}

bool FailureRules::work_has_failed() const {
  for (std::uint32_t role = 0; role < files_.roles().size(); ++role) {
    if (!files_.roles()[role].rules.service && role_has_failed(role)) return true;
  }
  return false;
}

}  // namespace slipway::local
