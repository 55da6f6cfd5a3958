// Looks for what a failed `schedule` has left.
#pragma once

#include <string>

#include "sdk/check/host/scheduler_calls.hpp"

namespace slipway::check {

/// Schedules the app again after a failure. Returns the first new file or process that the second
/// failure left, for reports; empty if it left nothing, succeeded, or has an unknown outcome. The
/// first failure may have made a directory that the scheduler needs for all its apps.
std::string left_by_failed_schedule(const SchedulerUnderTest& scheduler, const AppDef& app,
                                    slipway_schedule_opts opts);

}  // namespace slipway::check
