// The processes of an app that are not its recorded replicas.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace slipway::local {

/// Our children, from /proc; as a subreaper we are the parent of every descendant whose own parent
/// has ended.
std::vector<std::int32_t> direct_children();

/// Our descendants, parents before children. A snapshot: processes may come and go meanwhile.
std::vector<std::int32_t> all_descendants();

/// For a successor that is not the replicas' parent: every process that is in the session of a pid
/// for which `is_ours` says true, or descends from such a process while its ancestors live. Zombies
/// and ourselves are left out. Not found: a process that made its own session and whose parent has
/// ended. One look at all of /proc.
std::vector<std::int32_t> session_members(const std::function<bool(std::int32_t session)>& is_ours);

}  // namespace slipway::local
