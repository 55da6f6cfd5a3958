// The app of --app with shell scripts as its programs, for schedulers that run programs.
#pragma once

#include <functional>
#include <string>

#include "sdk/check/host/log_calls.hpp"

namespace slipway::check {

/// Returns the app of --app in which every replica runs `script` with sh; `args` are $1, $2 and so
/// on. Nothing is retried.
AppDef scripted(const SchedulerUnderTest& scheduler, const std::string& script, StrList args = {});

/// Submits the app, waits for its end and returns its id. Throws Broken unless it SUCCEEDED.
std::string run_to_success(const SchedulerUnderTest& scheduler, const AppDef& app);

/// Throws Broken unless the output of every replica of `app` is `expected(role, replica)`. Throws
/// Inconclusive if the scheduler keeps no logs, or not those of `selection`.
void require_output(const SchedulerUnderTest& scheduler, const std::string& app_id,
                    const AppDef& app,
                    const std::function<std::string(const Role&, std::int32_t)>& expected,
                    const LogSelection& selection = {});

/// Returns `check` for the catalogue: inconclusive if `check` fails and the scheduler runs no
/// programs, for instance because it only records apps for another system.
std::function<void(const Trial&)> with_programs(void (*check)(const SchedulerUnderTest&));

}  // namespace slipway::check
