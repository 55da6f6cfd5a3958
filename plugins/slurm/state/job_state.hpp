// Slurm's words for states and reasons.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipway/app_state.hpp"

namespace slipway::slurm {

/// Returns the state of a job's base state and flags: that of the first word in TorchX's table, or
/// UNKNOWN. The table has no entry for CONFIGURING and COMPLETING.
AppState first_known_state(const std::vector<std::string>& words);

/// Returns the state of one of Slipway's jobs. As first_known_state(), but flags decide: a job
/// whose processes Slurm is still ending is not over; a job whose nodes are being prepared, or that
/// returns to the queue, is PENDING.
AppState settled_state(const std::vector<std::string>& words);

/// Returns in plain words why a job waits or how it ended, with Slurm's own word if it says more;
/// empty for "None".
std::string reason_text(std::string_view reason);

/// Returns the word of abi/status.h for how the job ended: oom, timeout, lost or cancelled; empty
/// if the exit code says it.
std::string_view end_reason(const std::vector<std::string>& words);

}  // namespace slipway::slurm
