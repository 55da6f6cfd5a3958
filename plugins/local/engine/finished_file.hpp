// Where the index of finished apps lies: `<state root>/.finished`, for whoever lists to read and to
// replace. It is a cache: without it every record is opened.
#pragma once

#include <vector>

#include "plugins/local/engine/finished_index.hpp"

namespace slipway::local {

/// The index below the state root that is open as `root_fd`; one that knows nothing when there is
/// none, or it cannot be read.
FinishedIndex read_finished(int root_fd);

/// Puts an index of the terminal ones of `apps` in the place of what there is. Whoever reads
/// meanwhile sees the old one or the new one. Does nothing when somebody else is just writing, when
/// it cannot be written, or when it would be larger than is read: it is for speed alone.
void write_finished(int root_fd, const std::vector<ListedApp>& apps);

}  // namespace slipway::local
