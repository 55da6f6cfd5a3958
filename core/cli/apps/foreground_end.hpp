// What a command that stayed with an app says and returns at the end.
#pragma once

#include <boost/json.hpp>

#include "core/cli/apps/foreground.hpp"

namespace slipway::cli {

/// The handle and its parts, as `run --json` prints them.
boost::json::object handle_json(const AppHandle& handle);

/// Reports an app that has ended without a trace of how; otherwise prints nothing.
void warn_of_unknown_end(const AppStatus& status);

/// Prints the final status with --json, says why the app failed or that it was cancelled, and
/// returns the exit status: the app's, or 130 when the waiting was interrupted.
int tell_end(Invocation& invocation, const ForegroundResult& result);

}  // namespace slipway::cli
