// Sends a signal to replicas, for `slipway signal`.
#pragma once

#include <vector>

#include "plugins/local/engine/app_ref.hpp"
#include "plugins/local/engine/control.hpp"
#include "slipway/signals.hpp"

namespace slipway::local {

/// Sends the signal to the process groups of those replicas that `order` names and that run.
/// Returns a result for each named replica. Throws kNotFound if there is no such app, role or
/// replica, kPrecondition if the app has ended, kDenied if the record belongs to another user, and
/// what signal_replicas() throws. The caller has called ensure_supervised() and refused foreign
/// records (control.hpp).
std::vector<SignalResult> carry_out(const SignalOrder& order, const AppRef& app,
                                    HelperPath helper_path);

}  // namespace slipway::local
