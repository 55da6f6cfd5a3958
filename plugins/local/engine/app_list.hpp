// Which apps there are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugins/local/engine/app_state.hpp"

namespace slipway::local {

/// The apps of `scheduler`, of all when it is empty, of every session below `state_root`, oldest
/// submission first, and, whatever `scheduler` says, the records that cannot be read: their summaries
/// have a `problem`. Directories that are being made are left out. A state root that does not exist
/// holds no app; a directory that cannot be read throws kDenied or kUnavailable. Thread safe.
///
/// Reads the directories, the index of finished apps (finished_file.hpp), and one page for each app
/// that is not in it. Once more than a few finished ones are not, it writes the index anew; when
/// that cannot be done, the next listing takes as long.
std::vector<AppSummary> list_apps(const std::string& state_root, std::string_view scheduler = {});

}  // namespace slipway::local
