// The time limit of a command: `--timeout`.
#pragma once

#include <chrono>

#include "slipway/error.hpp"

namespace slipway::cli {

/// Limits the calls of plug-ins from now on. Plug-ins get a deadline that is earlier by a tenth of
/// the limit, at most by a second, so that an answer at their deadline arrives in time. At the
/// limit, cancels running calls. If a call still runs in this thread one second later, ends the
/// process with an error that names the plug-in (plugin_crash.hpp).
void start_time_limit(std::chrono::duration<double> limit);

/// Removes the limit for the rest of the command, which may take any time.
void lift_time_limit();

/// Returns whether an error with this code comes from the time limit. Such an error must end the
/// command, also if the command continues after other errors of single apps or plug-ins.
bool is_end_of_time_limit(Code code);

}  // namespace slipway::cli
