// Follows an app until it ends, and reports its end.
#pragma once

#include <boost/json.hpp>

#include "core/cli/invocation/invocation.hpp"
#include "core/cli/terminal/interrupts.hpp"
#include "slipway/app_handle.hpp"

namespace slipway::cli {

struct FollowOptions {
  bool show_logs = true;
  /// Whether ^C cancels the app, and a second ^C kills it. Otherwise ^C ends only the waiting.
  bool forward_interrupts = false;
};

struct FollowResult {
  AppStatus status;
  bool interrupted = false;  ///< the app still runs; only without `forward_interrupts`
};

/// Waits until the app is terminal and its logs are shown, or until ^C ends the waiting. Prints a
/// warning and continues without logs when the scheduler keeps none.
FollowResult follow_app(Invocation& invocation, const AppHandle& handle, Interrupts& interrupts,
                        const FollowOptions& options);

/// Prints the final status with --json, and why the app failed or that it was cancelled. Returns
/// the exit status: the app's, or 130 when ^C ended the waiting.
int report_end(Invocation& invocation, const FollowResult& result);

/// Prints an error if the app has ended and its scheduler does not know how.
void warn_of_unknown_end(const AppStatus& status);

/// Returns the handle and its parts, as `run --json` prints them.
boost::json::object handle_json(const AppHandle& handle);

}  // namespace slipway::cli
