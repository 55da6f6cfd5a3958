// Submits a job once.
#pragma once

#include <functional>
#include <string>

#include "plugins/slurm/script/job_plan.hpp"
#include "slipway/error.hpp"
#include "slipway/host.hpp"

namespace slipway::slurm {

/// Receives a message for the user.
using Tell = std::function<void(const std::string&)>;

/// Runs sbatch and returns the job's id, "1234" or "1234;cluster".
///
/// Submits again only after a failure in which Slurm cannot have received the job. When the answer
/// is lost, searches the queue for the job's mark until the controller has answered for a
/// MessageTimeout. When the call is cancelled, lets sbatch finish, tells the user so, and cancels
/// the job that it reports. So at most one job exists, and none is left unreported.
///
/// Throws kOutcomeUnknown if a job may remain: the answer did not come and the search did not find
/// the job, for whatever reason, or the job could not be cancelled. The caller must then keep the
/// job's record. After any other error no job remains: kTemporary if Slurm does not take the job
/// now, kCancelled, or kInvalid, kDenied, kPrecondition with sbatch's message.
std::string submit_job(const JobPlan& plan, const std::string& script_path, const Call& call,
                       const Tell& tell);

/// Asks Slurm to end a job. With `now`, kills its replicas first, so that the time between SIGTERM
/// and SIGKILL (KillWait) does not matter; this has no effect on a job that Slurm is ending. Does
/// nothing about a job that has ended or does not exist.
void cancel_job(const std::string& app_id, bool now, const Call& call);

}  // namespace slipway::slurm
