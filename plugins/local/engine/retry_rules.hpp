// When what has failed is started again, and how long an app may take: the rules of one app.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugins/local/engine/app_state.hpp"

namespace slipway::local {

/// What a failed replica takes with it when it is started again (TorchX's RetryPolicy).
enum class RetryScope : std::uint8_t {
  kApplication = 0,  ///< all replicas of the app
  kReplica = 1,      ///< that replica alone
  kRole = 2,         ///< all replicas of its role
};

/// Rules that belong to a role.
struct RoleRules {
  std::int32_t max_retries = 0;  ///< >= 0
  RetryScope scope = RetryScope::kApplication;
  /// The role goes on while that many of its replicas have not failed for good; 0: nothing is said,
  /// the app waits for all its replicas and one failure makes it FAILED (TorchX's local scheduler).
  std::int32_t min_replicas = 0;
};

/// Which failures may be retried at all.
struct RetryFilter {
  bool any = true;  ///< every failure; the rest counts only when false
  std::vector<std::int32_t> exit_codes;
  std::vector<std::int32_t> signals;
  bool oom = false;
  bool lost = false;
  bool timeout = false;
  bool not_ready = false;

  /// `wait_status` as of waitpid(), read for Reason::kExit and kSignal only.
  bool matches(Reason reason, std::int32_t wait_status) const;
};

/// How long a retry waits: initial * factor^n, at most max, plus or minus a random part.
struct Backoff {
  std::int64_t initial_ms = 200;
  double factor = 2;
  std::int64_t max_ms = 60'000;
  double jitter = 0.1;  ///< 0 to 1: the largest random part, relative to the delay

  /// Delay before retry `retry` (0 is the first). `random` is any number; it decides the random
  /// part. Never negative; the random part may exceed max_ms.
  std::int64_t delay_ms(std::uint32_t retry, std::uint64_t random) const;
};

/// Rules of the whole app; plan_options.hpp has the run options behind them. Times are milliseconds
/// of CLOCK_BOOTTIME.
struct LifeRules {
  std::int64_t grace_ms = 10'000;  ///< between SIGTERM and SIGKILL
  RetryFilter retry_on;
  Backoff backoff;
  bool fail_fast = false;           ///< a failure for good stops the rest of the app
  std::int64_t timeout_ms = 0;      ///< for one attempt of a replica; 0: none
  std::int64_t app_timeout_ms = 0;  ///< from the app's first start on, retries included; 0: none
  std::int32_t max_parallel = 0;    ///< how many replicas run at a time; 0: all
};

/// Returns the seconds of a time of these rules, without the unit, for messages: "60", "1.5".
std::string seconds_text(std::int64_t ms);

}  // namespace slipway::local
