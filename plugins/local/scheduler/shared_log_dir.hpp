// The level of its own that each user has in a log directory for several users.
#pragma once

#include <string>

namespace slipway::local {

/// Returns `log_dir`, or `log_dir/USER` when `log_dir` is a sticky directory that other users may
/// also write to, as /tmp is. USER is the name of the effective user, or its number when it has no
/// usable name.
///
/// Rationale: all users have the same default session. Without a level per user, the first user
/// would own the directory of that session, and the logs of every other user would have no place.
std::string log_dir_of_user(const std::string& log_dir);

}  // namespace slipway::local
