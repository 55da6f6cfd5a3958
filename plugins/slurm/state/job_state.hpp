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

/// As first_known_state(), but flags count: a job whose processes are still being ended is not
/// over, one whose nodes are being prepared is PENDING, one that goes back into the queue, too. For
/// jobs that are known to be Slipway's.
AppState settled_state(const std::vector<std::string>& words);

/// Why a job waits, in plain words, with Slurm's word where it tells more; empty for "None".
/// Terminal reasons too ("TimeLimit").
std::string reason_text(std::string_view reason);

/// One of the words of abi/status.h for how the job ended: oom, timeout, lost, cancelled, or empty:
/// see the exit code.
std::string_view end_reason(const std::vector<std::string>& words);

}  // namespace slipway::slurm
