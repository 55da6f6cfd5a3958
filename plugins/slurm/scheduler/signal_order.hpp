// Sends a signal to the replicas of an app.
#pragma once

#include <string>
#include <vector>

#include "slipway/host.hpp"
#include "slipway/signals.hpp"

namespace slipway::slurm {

/// Sends the signal to the running replicas that `order` names, but not to the batch script, and so
/// that the shells around replicas survive. Returns a result for each named replica; for a job
/// without a record, one for all replicas. Throws Error kNotFound for an unknown app, role or
/// replica, kPrecondition if the app has ended, kUnimplemented for a part of a job without a
/// record, and as look_up(), signal_steps() and signal_programs() do.
std::vector<SignalResult> carry_out(const SignalOrder& order, const std::string& state_root,
                                    const Call& call);

}  // namespace slipway::slurm
