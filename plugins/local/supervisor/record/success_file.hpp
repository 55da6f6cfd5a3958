// What stays when the app is over: `SUCCESS` in its log directory and `result.json` in its record.
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

/// Writes `result.json`, atomically as above.
bool write_result_file(AppFiles& files, State final_state, std::int64_t finished_ns);

/// Sees to it that `result.json` outlives a power cut. Takes milliseconds, so it is for after the
/// end was announced.
void sync_result_file(AppFiles& files);

}  // namespace slipway::local
