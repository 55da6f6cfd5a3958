// Submits a job exactly once, and cancels jobs.
#pragma once

#include <functional>
#include <string>

#include "plugins/slurm/script/job_plan.hpp"
#include "slipway/error.hpp"
#include "slipway/host.hpp"

namespace slipway::slurm {

/// Receives a message for the user.
using OnMessage = std::function<void(const std::string&)>;

/// Runs sbatch and returns the job's id, "1234" or "1234;cluster".
///
/// Submits again only after a failure that proves that Slurm did not receive the job. When the
/// answer is lost, searches the queue for the job's mark until it finds the job, or the controller
/// has answered without the job for a MessageTimeout, the longest time of one request; at most for
/// 60 s. When the call is cancelled, informs the user, gives sbatch 15 s to finish, and cancels the
/// job that sbatch reports or the search finds. At the call's deadline, ends all of this at once,
/// and kills an sbatch that has not answered. So at most one job exists, and the user learns of it.
///
/// Throws Error kOutcomeUnknown if a job may remain: the answer was lost and the search did not
/// find the job, or the job could not be cancelled, or the deadline came first. The caller must
/// then keep the job's record. After any other error no job remains: kTimeout if the deadline has
/// passed before sbatch runs, kTemporary if Slurm does not accept the job now, kCancelled, or
/// kInvalid, kDenied, kPrecondition with sbatch's message.
std::string submit_job(const JobPlan& plan, const std::string& script_path, const Call& call,
                       const OnMessage& on_message);

/// Asks Slurm to end a job. With `now`, first tries to kill its replicas, so that they do not get
/// the time between SIGTERM and SIGKILL (KillWait). If Slurm is ending the job already, `now` has
/// no effect. Does nothing if the job has ended or does not exist, or if `app_id` is not the id
/// of a job. Throws as ask() and command_error() do.
void cancel_job(const std::string& app_id, bool now, const Call& call);

}  // namespace slipway::slurm
