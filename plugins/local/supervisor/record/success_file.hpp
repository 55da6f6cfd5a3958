// `SUCCESS`, TorchX's record of the end of an app, in its log directory.
#pragma once

#include <cstdint>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/supervisor/record/app_files.hpp"

namespace slipway::local {

/// Writes `<log dir>/SUCCESS` with TorchX's keys and layout (as Python's json.dump with indent=2
/// would), whatever the outcome; a replica that never ran has null for pid and exitcode, one
/// without an error file variable "<N/A>". Atomic: never half a file. Best effort: false with errno
/// set, for instance when the directory is gone.
bool write_success_file(AppFiles& files, State final_state, std::int64_t finished_ns);

}  // namespace slipway::local
