// The log directory of an app, and the decision whether replicas write through pipes.
#pragma once

#include <string>

#include "plugins/local/engine/plan.hpp"

namespace slipway::local {

/// Returns the directory for the logs of this user's apps if the run option log_dir is `log_dir`:
/// `log_dir/USER` if `log_dir` is a sticky directory that other users may also write to, as /tmp
/// is; else `log_dir`. USER is the name of the effective user, or its number if it has no usable
/// name.
///
/// Rationale: all users have the same default session. Without a level per user, the first user
/// would own the directory of that session, and the logs of every other user would have no place.
std::string log_dir_of_user(const std::string& log_dir);

/// Returns whether the replicas should write through pipes: a command of the app would otherwise
/// truncate its own log files, and the app is small enough for the descriptors that pipes take.
///
/// `echo text > /dev/stderr` opens the log file again and truncates it. Looks for /dev/stderr,
/// /dev/stdout and their other names in the arguments of each group, in the script that is its
/// program or that its shell reads, and in the scripts that these name (ScriptSearch). Replaces no
/// macros.
bool needs_pipes(const LaunchPlan& plan);

}  // namespace slipway::local
