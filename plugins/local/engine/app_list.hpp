// Which apps there are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugins/local/engine/app_state.hpp"

namespace slipway::local {

/// The apps of `scheduler`, of all when it is empty, of every session below `state_root`, oldest
/// submission first (LaunchPlan::order); and, for every `scheduler`, the records that cannot be
/// read, whose summaries have a `problem`. Directories that are being made are left out. A state
/// root that does not exist holds no app; one that may not be read, or is no directory, throws
/// kDenied or kUnavailable, and so does one that is not the caller's own, unless root lists. Thread
/// safe.
///
/// Reads the directories, the index of finished apps (finished_index.hpp), and one page for each
/// app that is not in it. When the index lacks more than a few finished apps, replaces it; if that
/// fails, the next listing takes as long.
std::vector<AppSummary> list_apps(const std::string& state_root, std::string_view scheduler = {});

/// Returns the order of an app that is submitted now, after all `apps`. It also follows their ends,
/// so that a clock that was set back makes neither the newest app an old one nor the first to be
/// pruned.
std::int64_t order_after(const std::vector<AppSummary>& apps);

}  // namespace slipway::local
