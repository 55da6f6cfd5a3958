// The command of the run option `on_end`, which informs people or programs of the end of the app.
#pragma once

#include "plugins/local/supervisor/record/app_files.hpp"

namespace slipway::local {

/// The output of the command, in the record.
inline constexpr char kEndLogName[] = "on_end.log";

/// Starts the command of the plan, if it has one and none was started before. The terminal state is
/// in the record already. The command runs in the working directory of the app's first replica. It
/// gets a description of the end as JSON on stdin, and its output goes to kEndLogName in the
/// record; nothing waits for it. If it cannot be started, the journal says why.
void start_end_command(AppFiles& files);

}  // namespace slipway::local
