#include "sdk/support/rules/verdict.hpp"

namespace slipway::rules {

Verdict verdict_on(const Failure& failure, const RoleRules& rules, const RetryFilter& retried) {
  const auto most = static_cast<std::uint32_t>(rules.max_retries);
  // Nothing starts again once only services are left.
  if (most == 0 || failure.work_is_done || !retried.matches(failure.reason, failure.wait_status))
    return Verdict::kForGood;
  if (rules.scope == RetryScope::kReplica)
    return failure.attempts_in_round <= most ? Verdict::kRetryReplica : Verdict::kForGood;
  // If the role succeeds without the replica, the other replicas are not restarted.
  if (rules.min_replicas > 0 && tolerates(rules, failure.replicas, failure.failed_for_good + 1))
    return Verdict::kForGood;
  if (rules.scope == RetryScope::kRole)
    return failure.role_restarts < most ? Verdict::kRestartRole : Verdict::kForGood;
  return failure.app_restarts < most ? Verdict::kRestartApp : Verdict::kForGood;
}

std::int64_t pause_ms(const Failure& failure, Verdict verdict, const Backoff& backoff,
                      std::uint64_t random) {
  const std::uint32_t retry = verdict == Verdict::kRestartApp    ? failure.app_restarts
                              : verdict == Verdict::kRestartRole ? failure.role_restarts
                                                                 : failure.attempts_in_round - 1;
  return backoff.delay_ms(retry, random);
}

bool tolerates(const RoleRules& rules, std::uint32_t replicas, std::uint32_t failures) {
  if (rules.min_replicas == 0) return failures == 0;
  return replicas >= failures &&
         replicas - failures >= static_cast<std::uint32_t>(rules.min_replicas);
}

}  // namespace slipway::rules
