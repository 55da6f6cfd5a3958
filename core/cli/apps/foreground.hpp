// Staying with an app until it ends: its logs, ^C, and what becomes of it.
#pragma once

#include "core/cli/invocation/invocation.hpp"
#include "core/cli/terminal/interrupts.hpp"
#include "slipway/app_handle.hpp"

namespace slipway::cli {

struct ForegroundOptions {
  bool show_logs = true;
  /// ^C asks the app to end and waits for it, a second one kills it; otherwise ^C ends the waiting
  /// alone.
  bool forward_interrupts = false;
};

struct ForegroundResult {
  AppStatus status;
  bool interrupted = false;  ///< the app goes on; only without `forward_interrupts`
};

/// Shows the logs only where the scheduler keeps some, and says so where it does not.
/// Returns when the app is terminal and its logs have been shown, or when interrupted.
ForegroundResult stay_with(Invocation& invocation, const AppHandle& handle, Interrupts& interrupts,
                           const ForegroundOptions& options);

}  // namespace slipway::cli
