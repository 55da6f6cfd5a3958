// The end of the app in its record, and `SUCCESS` in its log directory.
#pragma once

#include "plugins/local/supervisor/record/app_files.hpp"

namespace slipway::local {

/// Writes `SUCCESS`, then the terminal state of an app whose processes have all ended, and its line
/// in the journal. If `SUCCESS` cannot be written, the app's message says so. `role_failed` says
/// that too many replicas of a role have failed. A successor that finds the end recorded by its
/// predecessor repeats it with the same time.
void record_app_end(AppFiles& files, bool role_failed);

}  // namespace slipway::local
