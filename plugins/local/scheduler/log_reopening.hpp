// Programs that open their own log files once more, as `echo text > /dev/stderr` does.
#pragma once

#include "plugins/local/engine/plan.hpp"

namespace slipway::local {

/// Returns whether the command of `group` names /dev/stderr, /dev/stdout or what they stand for: in
/// an argument, in the script that is its program, or in the one that its shell reads. What a
/// script calls is not looked at, and macros are not replaced.
bool reopens_logs(const LaunchGroup& group);

}  // namespace slipway::local
