// The rules of an app for retries, time limits and its end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sdk/support/rules/end_reason.hpp"

namespace slipway::rules {

/// The replicas that start again after the failure of one (TorchX's RetryPolicy). Records of the
/// local schedulers hold these numbers.
enum class RetryScope : std::uint8_t {
  kApplication = 0,  ///< all replicas of the app
  kReplica = 1,      ///< that replica alone
  kRole = 2,         ///< all replicas of its role
};

/// The failures that may be retried.
struct RetryFilter {
  bool any = true;  ///< every failure; the other fields apply only if this is false
  std::vector<std::int32_t> exit_codes;
  std::vector<std::int32_t> signals;
  bool oom = false;
  bool lost = false;
  bool timeout = false;
  bool not_ready = false;

  /// Returns whether a failure may be retried. `wait_status` is that of waitpid(), and is used only
  /// for Reason::kExit and kSignal.
  bool matches(Reason reason, std::int32_t wait_status) const;

  friend bool operator==(const RetryFilter&, const RetryFilter&) = default;
};

/// The pause before retry n: initial * factor^n, at most max, plus or minus a random part.
struct Backoff {
  std::int64_t initial_ms = 200;
  double factor = 2;
  std::int64_t max_ms = 60'000;
  double jitter = 0.1;  ///< 0 to 1: the largest random part, relative to the pause

  /// Returns the pause before retry `retry` (0 is the first), in milliseconds. `random` is any
  /// number and determines the random part. Never negative; the random part may raise the pause
  /// above max_ms.
  std::int64_t delay_ms(std::uint32_t retry, std::uint64_t random) const;

  friend bool operator==(const Backoff&, const Backoff&) = default;
};

/// Rules that belong to a role.
struct RoleRules {
  std::int32_t max_retries = 0;  ///< >= 0
  RetryScope scope = RetryScope::kApplication;
  /// The role continues while at least this many of its replicas have not failed for good; with
  /// fewer, the whole app stops. 0: the app waits for all replicas, and one failure makes it
  /// FAILED, as in TorchX's local scheduler.
  std::int32_t min_replicas = 0;
  /// The role serves the others: the app ends without it, and its failures do not make the app
  /// FAILED unless they stop it (fail_fast, min_replicas).
  bool service = false;
  /// The role's own rules in place of those of the app (LifeRules).
  std::optional<std::int64_t> timeout_ms;
  std::optional<std::int64_t> grace_ms;
  std::optional<RetryFilter> retry_on;
  std::optional<Backoff> backoff;

  friend bool operator==(const RoleRules&, const RoleRules&) = default;
};

/// Rules of the whole app; life_options.hpp has the run options behind them. Times are milliseconds
/// of the clock that the supervisor chooses: CLOCK_BOOTTIME for local apps, but not on Docker.
struct LifeRules {
  std::int64_t grace_ms = 10'000;  ///< between SIGTERM and SIGKILL
  RetryFilter retry_on;
  Backoff backoff;
  /// A failure for good stops the whole app. In a role with min_replicas, that rule decides alone.
  bool fail_fast = false;
  // The next three do not apply to services; app_timeout_ms applies until the work has ended.
  std::int64_t timeout_ms = 0;      ///< limit of one attempt of a replica; 0: none
  std::int64_t app_timeout_ms = 0;  ///< limit of the app, with its retries; 0: none
  std::int32_t max_parallel = 0;    ///< replicas that may run at the same time; 0: all
  std::string on_end;               ///< command for sh at the end of the app; empty: none
};

/// Returns `ms` in seconds, without a unit, for messages: "60", "1.5".
std::string seconds_text(std::int64_t ms);

/// Returns a number of seconds, at most a year of them, in milliseconds. Does not round a positive
/// time to 0, because 0 has another meaning, such as no limit.
std::int64_t milliseconds(double seconds);

}  // namespace slipway::rules
