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

}  // namespace slipway::local
