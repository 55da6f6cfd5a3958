// Translates Slurm's words for states and reasons.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugins/slurm/state/queue_job.hpp"
#include "slipway/app_state.hpp"

namespace slipway::slurm {

/// Returns the state for a job's base state and flags: that of the first word that is in TorchX's
/// table, or UNKNOWN. The table has no entries for CONFIGURING and COMPLETING: a job for which a
/// command prints only such a flag is UNKNOWN.
AppState first_known_state(const std::vector<std::string>& words);

/// Returns the state of one of Slipway's jobs, for which flags take precedence over
/// first_known_state(). A job whose processes Slurm is still ending is RUNNING. A job whose
/// nodes are being prepared, or that returns to the queue, is PENDING. The flag STOPPED does not
/// count beside the state of an end, see is_stopped().
AppState state_with_flags(const std::vector<std::string>& words);

/// Slurm's flag for a job that got SIGSTOP.
inline constexpr const char* kStoppedFlag = "STOPPED";

/// Returns whether STOPPED is all that a command printed about the job's state. Such a job may have
/// ended: if it ends while Slurm sends SIGSTOP to it, the flag stays, and hides the base state
/// until Slurm forgets the job.
bool is_stopped(const QueueJob& job);

/// Returns the base state of a job that has ended and of which Slurm shows only STOPPED: its reason
/// and exit code decide. A cancelled job whose script exited with 0 also counts as COMPLETED.
std::string end_word(const QueueJob& job);

/// Returns in plain words why a job waits or how it ended, with Slurm's own word if that is more
/// precise or not known here; empty for "None", and if the exit code or the signal shows how it
/// ended.
std::string reason_text(std::string_view reason);

/// Returns the reason of abi/status.h for the job's end: oom, timeout, lost or cancelled; empty if
/// no word names a cause, so that the exit code or the signal explains the end.
std::string_view end_reason(const std::vector<std::string>& words);

}  // namespace slipway::slurm
