// Decides what follows from the failure of a replica.
#pragma once

#include <cstdint>

#include "sdk/support/rules/end_reason.hpp"
#include "sdk/support/rules/retry_rules.hpp"

namespace slipway::rules {

/// What the supervisor does after the failure.
enum class Verdict {
  kForGood,       ///< the replica stays FAILED
  kRetryReplica,  ///< the replica alone starts again
  kRestartRole,   ///< all replicas of the role start again
  kRestartApp,    ///< all replicas of the app start again
};

/// What is known about a replica that has failed, and about its app. Supervisors ask for no verdict
/// on Reason::kSpawnFailed and kDependency, which are never retried.
struct Failure {
  Reason reason = Reason::kNone;
  std::int32_t wait_status = 0;         ///< that of waitpid(), for Reason::kExit and kSignal
  bool work_is_done = false;            ///< only services are left
  std::uint32_t attempts_in_round = 0;  ///< starts since the last restart of its role or app
  std::uint32_t role_restarts = 0;      ///< restarts of its role so far
  std::uint32_t app_restarts = 0;       ///< restarts of the app so far
  std::uint32_t replicas = 0;           ///< number of replicas of its role
  std::uint32_t failed_for_good = 0;    ///< number of other replicas of its role that stay FAILED
};

/// Returns the verdict. `retried` has the failures that the role retries by its own `retry_on`, or
/// else by that of the app.
Verdict verdict_on(const Failure& failure, const RoleRules& rules, const RetryFilter& retried);

/// Returns the pause before the start that `verdict` (not kForGood) orders, in milliseconds.
/// `random` is any number and determines the random part.
std::int64_t pause_ms(const Failure& failure, Verdict verdict, const Backoff& backoff,
                      std::uint64_t random);

/// Returns whether a role of `replicas` succeeds although `failures` of them failed for good.
bool tolerates(const RoleRules& rules, std::uint32_t replicas, std::uint32_t failures);

}  // namespace slipway::rules
