// The run options behind LifeRules, declared once for the local and Docker schedulers. Only
// `grace_s` is declared again on Docker, in whole seconds.
#pragma once

#include <cstdint>
#include <string_view>

#include "sdk/support/rules/option_kinds.hpp"
#include "sdk/support/rules/retry_rules.hpp"

namespace slipway::rules {

inline constexpr double kYearSeconds = 365.0 * 24 * 3600;

/// Calls `visit` for each part of the option `backoff`. `backoff` is a Backoff, const or not.
template <typename Visit, typename BackoffType>
void visit_parts(Visit& visit, BackoffType& backoff) {
  visit(Option{"initial", ""}, backoff.initial_ms, Seconds{0, kYearSeconds});
  visit(Option{"factor", ""}, backoff.factor, Real{1, 1000});
  visit(Option{"max", ""}, backoff.max_ms, Seconds{0, kYearSeconds});
  visit(Option{"jitter", ""}, backoff.jitter, Real{0, 1});
}

/// Calls `visit` for each option. `rules` is a LifeRules, const or not.
template <typename Visit, typename Rules>
void visit_life_options(Visit& visit, Rules& rules) {
  constexpr double kWeekSeconds = 7.0 * 24 * 3600;
  visit(Option{"grace_s", "seconds between SIGTERM and SIGKILL when Slipway stops a replica"},
        rules.grace_ms, Seconds{0, kWeekSeconds});
  visit(Option{"retry_on",
               "failures that are retried, within max_retries of the role: exit codes, signals "
               "(SIGKILL), oom, lost, timeout, not_ready; not given: all failures"},
        rules.retry_on, FailureList{});
  visit(
      Option{
          "backoff",
          "pause before retry n, from 0: initial * factor^n seconds, at most max, plus or minus a "
          "random part of at most jitter (0 to 1); defaults: initial:0.2, factor:2, max:60, "
          "jitter:0.1"},
      rules.backoff, BackoffParts{});
  visit(Option{"fail_fast",
               "stop the whole app when one replica has failed for good, instead of letting the "
               "others continue"},
        rules.fail_fast, Flag{});
  visit(Option{"timeout_s",
               "seconds that one attempt of a replica may take; Slipway stops a longer one, which "
               "then has failed"},
        rules.timeout_ms, Seconds{0, kYearSeconds});
  visit(Option{"app_timeout_s",
               "seconds that the app may take with its retries; Slipway stops a longer one, which "
               "then has failed"},
        rules.app_timeout_ms, Seconds{0, kYearSeconds});
  visit(Option{"max_parallel",
               "number of replicas that may run at the same time; the others are PENDING; 0: all"},
        rules.max_parallel, Count{0, INT32_MAX});
  visit(Option{"on_end",
               "command for sh that Slipway starts once when the app has ended, even if no command "
               "is attached; it gets a description of the end as JSON on stdin",
               /*is_missed_late=*/true},
        rules.on_end, Text{});
}

/// Returns whether `name` is an option above for which users would notice too late that a scheduler
/// ignores it, such as `on_end`.
inline bool is_missed_late(std::string_view name) {
  bool out = false;
  const auto look = [&](const Option& option, const auto&, auto) {
    out = out || (option.is_missed_late && option.name == name);
  };
  const LifeRules rules;
  visit_life_options(look, rules);
  return out;
}

}  // namespace slipway::rules
