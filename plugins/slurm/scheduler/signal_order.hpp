// Carrying out an order to send a signal.
#pragma once

#include <string>
#include <vector>

#include "slipway/host.hpp"
#include "slipway/signals.hpp"

namespace slipway::slurm {

/// Sends the signal to the replicas that the order names and that run; the batch script and the
/// shells around replicas do not end by it. Returns a result for each replica that the order names.
/// Throws Error kNotFound (no such app, role or replica), kPrecondition (the app has ended, or
/// Slurm has not started its job), kUnimplemented (a part of a job that has no record), and as
/// signal_steps() does.
std::vector<SignalResult> carry_out(const SignalOrder& order, const std::string& state_root,
                                    const Call& call);

}  // namespace slipway::slurm
