// Decides what follows from the failure of a replica.
#pragma once

#include <cstdint>

#include "sdk/support/rules/end_reason.hpp"
#include "sdk/support/rules/retry_rules.hpp"

namespace slipway::rules {

enum class Verdict {
  kForGood,       ///< the replica stays FAILED
  kRetryReplica,  ///< the replica alone starts again
  kRestartRole,
  kRestartApp,
};

/// What is known about a replica that has failed, and about its app.
struct Failure {
  Reason reason = Reason::kNone;
  std::int32_t wait_status = 0;         ///< that of waitpid(), for Reason::kExit and kSignal
  bool work_is_done = false;            ///< only services are left
  std::uint32_t attempts_in_round = 0;  ///< starts since the last restart of its role or app
  std::uint32_t role_restarts = 0;
  std::uint32_t app_restarts = 0;
  std::uint32_t replicas = 0;         ///< of its role
  std::uint32_t failed_for_good = 0;  ///< of them, without this one
};

/// Returns the verdict. `retried` are the failures that the role, or else its app, retries.
Verdict verdict_on(const Failure& failure, const RoleRules& rules, const RetryFilter& retried);

/// Returns the pause before the start that `verdict` (not kForGood) orders, in milliseconds.
/// `random` is any number and determines the random part.
std::int64_t pause_ms(const Failure& failure, Verdict verdict, const Backoff& backoff,
                      std::uint64_t random);

/// Returns whether a role of `replicas` succeeds although `failures` of them failed for good.
bool tolerates(const RoleRules& rules, std::uint32_t replicas, std::uint32_t failures);

}  // namespace slipway::rules
