// The run options that a launch plan contains, each with its only declaration.
//
// A table calls a visitor with every option: its name and help, its field in the plan, and the kind
// of its value with the range. The default is that of the field. Three users walk the tables: the
// declaration and the parser of run options (scheduler/local_options.hpp), the check of a plan
// (plan.cpp), and the codec of `plan.bin` (plan_codec.cpp), whose order is that of the tables.
#pragma once

#include <cstdint>

#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/engine/retry_rules.hpp"

namespace slipway::local {

struct Option {
  const char* name;
  const char* help;
};

// Kinds of values. Ranges include their ends, and have the unit of the option.

struct Flag {};
/// A flag whose default the scheduler chooses for each app.
struct ChosenFlag {};
struct Count {
  std::int64_t least;
  std::int64_t most;
};
struct Real {
  double least;
  double most;
};
/// A number of seconds; the field is in milliseconds.
struct Seconds {
  double least;
  double most;
};
struct Text {};
/// A number of MiB; the field is in bytes. 0: no limit.
struct Mebibytes {
  std::int64_t most;
};
/// A list of failures, as in RetryFilter.
struct FailureList {};
/// A dict with the fields of Backoff.
struct BackoffParts {};

inline constexpr double kYearSeconds = 365.0 * 24 * 3600;

/// `backoff` is a Backoff, constant or not.
template <typename Visit, typename Part>
void visit_parts(Visit& visit, Part& backoff) {
  visit(Option{"initial", ""}, backoff.initial_ms, Seconds{0, kYearSeconds});
  visit(Option{"factor", ""}, backoff.factor, Real{1, 1000});
  visit(Option{"max", ""}, backoff.max_ms, Seconds{0, kYearSeconds});
  visit(Option{"jitter", ""}, backoff.jitter, Real{0, 1});
}

/// `rules` is a LifeRules, constant or not.
template <typename Visit, typename Rules>
void visit_life_options(Visit& visit, Rules& rules) {
  constexpr double kWeekSeconds = 7.0 * 24 * 3600;
  visit(Option{"grace_s", "seconds between SIGTERM and SIGKILL when Slipway stops a replica"},
        rules.grace_ms, Seconds{0, kWeekSeconds});
  visit(Option{"retry_on",
               "failures that are retried, within max_retries of the role: exit codes, signals "
               "(SIGKILL), oom, lost, timeout, not_ready; not given: all failures"},
        rules.retry_on, FailureList{});
  visit(Option{"backoff",
               "pause before a retry: initial, factor, max (seconds) and jitter (0 to 1) of "
               "initial * factor^n; defaults: initial:0.2, factor:2, max:60, jitter:0.1"},
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
               "command for sh that Slipway starts once when the app has ended, also if no command "
               "is attached; it gets a description of the end as JSON on stdin"},
        rules.on_end, Text{});
}

/// `rules` is a LogRules, constant or not.
template <typename Visit, typename Rules>
void visit_log_options(Visit& visit, Rules& rules) {
  visit(Option{"log_combined",
               "copy both streams of a replica into its combined.log; without it the supervisor "
               "does not read the output, lines have no times, and log prints one stream after the "
               "other"},
        rules.combined, Flag{});
  visit(Option{"log_pipes",
               "replicas write into pipes that the supervisor copies into their log files, so that "
               "`echo text > /dev/stderr` truncates nothing; not given: for apps of at most 256 "
               "replicas whose arguments or scripts name such a file"},
        rules.pipes, ChosenFlag{});
  visit(Option{"log_times",
               "record when lines were written, for log --since, --until and --timestamps"},
        rules.times, Flag{});
  visit(Option{"log_max_mb",
               "divide each log file of a replica into pieces of this many MiB, and keep the "
               "piece that grows and log_keep full ones before it; 0: no limit"},
        rules.piece_bytes, Mebibytes{1024 * 1024});
  visit(Option{"log_keep", "number of full pieces of log_max_mb that are kept"}, rules.keep_pieces,
        Count{1, 1000});
}

}  // namespace slipway::local
