// The end of the app in its record.
#pragma once

#include "plugins/local/supervisor/record/app_files.hpp"

namespace slipway::local {

/// Writes the files of the end, then the terminal state of an app whose processes have all ended,
/// and the last line of the journal. `role_failed`: too many replicas of a role have failed. A
/// successor may find the end recorded by its predecessor and repeats it with the same time.
void record_app_end(AppFiles& files, bool role_failed);

}  // namespace slipway::local
