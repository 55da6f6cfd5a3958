// Calls Slurm's commands, with time limits, repetition after temporary failures, and errors that
// people understand.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "slipway/error.hpp"
#include "slipway/host.hpp"
#include "slipway/program.hpp"

namespace slipway::slurm {

/// Returns whether Slurm's message reports a temporary failure: the controller does not answer, is
/// busy or is being replaced.
bool is_temporary(std::string_view message);

/// Returns whether the command failed because the job has ended or does not exist.
bool reports_ended_job(const ProgramResult& result);

/// Returns whether a signal ended the command, whose status is then 128 plus its number.
inline bool was_killed(const ProgramResult& result) { return result.status >= 128; }

/// Returns a command's standard error as one line, without the "squeue: error: " at the start of
/// each line.
std::string engine_words(std::string_view standard_error);

/// The limits of a query and of its repetitions.
struct Patience {
  std::chrono::milliseconds limit{20000};  ///< time limit of one call
  int attempts = 3;                        ///< largest number of calls
  std::chrono::milliseconds pause{250};    ///< before the second attempt; doubles after each pause
  /// Returns whether the output of a command that ended with 0 reports an outage; may be null.
  bool (*is_outage)(std::string_view output) = nullptr;
};

/// Runs one of Slurm's commands, without some variables of this process.
///
/// Of the variables that Slurm reads or sets (SLURM_*, SBATCH_*, SRUN_*, SQUEUE_* and the like) the
/// command gets only those that choose the cluster and the credentials, such as SLURM_CONF. Inside
/// a job the other ones describe that job, and a user's SQUEUE_FORMAT or SLURM_TIME_FORMAT changes
/// what commands print. If this process is part of a replica, the command does not get the
/// variables that name the replica's files, ports and hosts: a job inherits the environment of
/// sbatch, and would write its error into that replica's file.
ProgramResult run_command(const StrList& argv, ProgramLimits limits);

/// Waits for `time`, or until the call is cancelled. [any thread]
void pause_for(std::chrono::milliseconds time, const Call& call);

/// Runs a command that may be repeated. Repeats it after a temporary failure, within `patience` and
/// the call's deadline. Returns the result of any other failure for the caller to judge. Also
/// returns the last output if `is_outage` still reports an outage. Throws Error kTemporary if the
/// last attempt fails temporarily or a command hangs, kPrecondition if the command is not
/// installed, kCancelled. [any thread]
ProgramResult ask(const StrList& argv, const Call& call, const Patience& patience = {});

/// Returns the error for a command of Slurm that this machine does not have.
Error not_installed(const std::string& command);

/// Returns the error of a command that failed; its message starts with `what`. Slurm's message
/// decides its code: kTemporary, kDenied, kPrecondition or kInvalid. Its details are `command`,
/// `exit_status` and `stderr`.
Error command_error(const StrList& argv, const ProgramResult& result, const std::string& what);

}  // namespace slipway::slurm
