// From jobs and records to what the host asks for.
#pragma once

#include <string>
#include <vector>

#include "plugins/slurm/state/job_record.hpp"
#include "plugins/slurm/state/queue_job.hpp"
#include "slipway/status.hpp"

namespace slipway::slurm {

/// An app that Slipway submitted. `jobs` is what Slurm knows of it: nothing once it has forgotten,
/// and then the app is what its own result says, or UNKNOWN. The replicas' records tell exit codes
/// and nodes one by one; what they do not tell, the job's state decides.
Description describe_app(const JobRecord& record, const std::vector<QueueJob>& jobs);

/// A job that something else submitted, or whose record is gone, as TorchX describes it: components
/// are replicas named `role-N`, and the last one decides the state. Of a job of Slipway's
/// (`mark_in` its comment) a component may also be a whole role. Throws Error kInvalid for a name
/// that is neither.
Description describe_jobs(const std::string& app_id, const std::vector<QueueJob>& jobs);

/// One line for each app among the jobs: components and array tasks stand for one; newest first.
std::vector<ListItem> list_apps(const std::vector<QueueJob>& jobs);

}  // namespace slipway::slurm
