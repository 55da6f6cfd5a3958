// The processes of an app that are not its recorded replicas.
#pragma once

#include <cstdint>
#include <vector>

namespace slipway::local {

/// Our children, from /proc; as a subreaper we are the parent of every descendant whose own parent
/// has ended.
std::vector<std::int32_t> direct_children();

/// Our descendants, parents before children. A snapshot: processes may come and go meanwhile.
std::vector<std::int32_t> all_descendants();

/// Sends `signal` to `pid` if it still is a descendant of ours. False with errno set: ESRCH when it
/// is none, or is gone; EPERM when we may not signal it. Our children keep their numbers until we
/// reap them, but theirs do not: a number from all_descendants() may be a stranger's by now.
bool signal_descendant(std::int32_t pid, int signal);

}  // namespace slipway::local
