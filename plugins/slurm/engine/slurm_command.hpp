// Slurm's commands as the plug-in calls them: with a time limit, patience for what is temporary,
// and errors for people.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "slipway/error.hpp"
#include "slipway/host.hpp"
#include "slipway/program.hpp"

namespace slipway::slurm {

/// Whether the engine's message is of the kind that goes away by itself: the controller does not
/// answer, is busy or is being replaced.
bool is_temporary(std::string_view message);

/// The engine's own words: its standard error without the "squeue: error: " in front of each line,
/// on one line.
std::string engine_words(std::string_view standard_error);

/// How long a question may take before the answer is given up, and how often it is asked again.
struct Patience {
  std::chrono::milliseconds limit{20000};  ///< of one call
  int attempts = 3;
  std::chrono::milliseconds pause{250};  ///< before the second attempt; doubles
};

/// Runs a command of Slurm's. Of the variables that Slurm reads or sets itself (SLURM_*, SBATCH_*,
/// SRUN_*, SQUEUE_* and the like) the command gets only those that choose the cluster and the
/// credentials, such as SLURM_CONF: inside a job the others describe that job, and a user's
/// SQUEUE_FORMAT or SLURM_TIME_FORMAT changes what commands print.
ProgramResult run_command(const StrList& argv, ProgramLimits limits);

/// Waits for `time`, or until the call is cancelled. [any thread]
void pause_for(std::chrono::milliseconds time, const Call& call);

/// Runs a command that changes nothing. A temporary failure is tried again within `patience` and
/// the call's deadline. A command that fails for good is returned: the caller knows what it means.
/// Throws Error kTemporary when patience is over, kPrecondition when the command is not installed,
/// kCancelled. [any thread]
ProgramResult ask(const StrList& argv, const Call& call, const Patience& patience = {});

/// The error of a command that failed: kTemporary, kDenied or kInvalid by what the engine says.
Error command_error(const StrList& argv, const ProgramResult& result, const std::string& what);

}  // namespace slipway::slurm
