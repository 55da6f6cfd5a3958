// Children and descendants of this process.
#pragma once

#include <cstdint>
#include <vector>

namespace slipway::local {

/// Returns the children of this process, from /proc. If it is a subreaper, as supervisor and warden
/// are, these include the descendants whose own parent has ended, except those below another
/// subreaper: while the supervisor lives, they become its children and not the warden's.
std::vector<std::int32_t> direct_children();

/// Returns the descendants of this process at this moment, parents before children.
std::vector<std::int32_t> all_descendants();

/// Sends `signal` to `pid` if it still is a descendant of this process. Returns false with errno
/// set: ESRCH if it is not or is gone, EPERM if this process may not signal it. A child keeps its
/// pid until this process reaps it; a deeper descendant may be gone, and its pid another process's.
bool signal_descendant(std::int32_t pid, int signal);

}  // namespace slipway::local
