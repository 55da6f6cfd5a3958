// The apps below a state root, the directory that has the directories of sessions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugins/local/engine/app_state.hpp"

namespace slipway::local {

/// Returns the apps of `scheduler` in all sessions below `state_root`, oldest submission first
/// (LaunchPlan::order). An empty `scheduler` stands for all schedulers. The result also has every
/// record that cannot be read and is not in the index of finished apps, whatever its scheduler; its
/// summary has a `problem`. Drafts are left out. A missing state root has no apps. Throws kDenied
/// or kUnavailable for a state root that is unreadable or not a directory, and for a session of the
/// caller whose directory is unreadable; leaves out such a session of another user, for example one
/// that root made. Throws kDenied for a state root that belongs to another user or that other users
/// may write to, unless the caller is root. Thread safe.
///
/// Reads the directories, the index of finished apps (finished_index.hpp), and the header of each
/// app that the index lacks. Replaces an index that lacks many finished apps, or that mostly has
/// deleted ones, unless a newer version of Slipway wrote it, or root lists the state root of
/// another user. If that fails, the next listing takes as long.
std::vector<AppSummary> list_apps(const std::string& state_root, std::string_view scheduler = {});

/// Returns the LaunchPlan::order of an app that is submitted now: later than the submissions and
/// ends of all `apps`. Even if the wall clock was set back, the new app is the newest in a list and
/// the last one to be pruned.
std::int64_t order_after(const std::vector<AppSummary>& apps);

}  // namespace slipway::local
