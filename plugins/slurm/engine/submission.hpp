// Submitting a job once.
#pragma once

#include <string>

#include "plugins/slurm/script/job_plan.hpp"
#include "slipway/host.hpp"

namespace slipway::slurm {

/// Runs sbatch and returns the job's id, "1234" or "1234;cluster".
///
/// When sbatch fails for a time, or its answer is lost, the queue is searched for the job's mark before anything is
/// submitted again: at most one job is left. Throws Error kTemporary when Slurm does not take the job now (or, said so,
/// when nobody knows whether it did), kInvalid, kDenied, kPrecondition with sbatch's own words.
std::string submit_job(const JobPlan& plan, const std::string& script_path, const Call& call);

/// Asks Slurm to end a job; `now`: without the time between SIGTERM and SIGKILL. A job that ended or is not there is no
/// error.
void cancel_job(const std::string& app_id, bool now, const Call& call);

}  // namespace slipway::slurm
