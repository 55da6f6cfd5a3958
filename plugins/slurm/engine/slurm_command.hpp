// Calls Slurm's commands, with time limits, repetition after temporary failures, and errors for
// people.
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

/// Returns a command's standard error on one line, without the "squeue: error: " in front of each
/// of its lines.
std::string engine_words(std::string_view standard_error);

/// The limits of a query and of its repetitions.
struct Patience {
  std::chrono::milliseconds limit{20000};  ///< of one call
  int attempts = 3;
  std::chrono::milliseconds pause{250};  ///< before the second attempt; doubles after each
  /// Returns whether the output of a command that ended with 0 reports an outage; may be null.
  bool (*is_outage)(std::string_view output) = nullptr;
};

/// Runs one of Slurm's commands. Of the variables that Slurm reads or sets (SLURM_*, SBATCH_*,
/// SRUN_*, SQUEUE_* and the like) the command gets only those that choose the cluster and the
/// credentials, such as SLURM_CONF: inside a job the others describe that job, and a user's
/// SQUEUE_FORMAT or SLURM_TIME_FORMAT changes what commands print. Of the variables of an enclosing
/// replica the command gets none that names its files, ports or hosts: a job inherits the
/// environment of sbatch, and would write its error into the file of that replica.
ProgramResult run_command(const StrList& argv, ProgramLimits limits);

/// Waits for `time`, or until the call is cancelled. [any thread]
void pause_for(std::chrono::milliseconds time, const Call& call);

/// Runs a command that changes nothing. Repeats it after a temporary failure, within `patience` and
/// the call's deadline. Returns the result of any other failure, whose meaning the caller knows, or
/// the last output that `is_outage` refuses.
/// Throws Error kTemporary if the last attempt fails or hangs, kPrecondition if the command is not
/// installed, kCancelled. [any thread]
ProgramResult ask(const StrList& argv, const Call& call, const Patience& patience = {});

/// Returns the error of a command that failed. Its code follows from Slurm's message: kTemporary,
/// kDenied, kPrecondition or kInvalid. Its details are `command`, `exit_status` and `stderr`.
Error command_error(const StrList& argv, const ProgramResult& result, const std::string& what);

}  // namespace slipway::slurm
