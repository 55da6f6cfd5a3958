// Carrying out an order to send a signal.
#pragma once

#include <vector>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/control.hpp"
#include "slipway/signals.hpp"

namespace slipway::local {

/// Sends the signal to the process groups of the replicas that the order names and that run.
/// Returns a result for each that it names. Throws kNotFound (no such app, role or replica),
/// kPrecondition (the app has ended), kDenied (another user's record), and as signal_replicas()
/// does.
std::vector<SignalResult> carry_out(const SignalOrder& order, const AppRef& app,
                                    HelperPath helper_path);

}  // namespace slipway::local
