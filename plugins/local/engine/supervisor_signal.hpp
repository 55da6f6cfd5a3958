// Asking the supervisor of an app for its socket, when the socket's name is gone.
#pragma once

#include "plugins/local/engine/app_ref.hpp"

namespace slipway::local {

/// Sends SIGHUP to the supervisor that the app's state names: it puts `ctl.sock` back. A process is
/// signalled only if its command line names the app's directory, so never somebody else's that got
/// the number. Returns whether one was.
bool ask_for_socket(const AppRef& app);

}  // namespace slipway::local
