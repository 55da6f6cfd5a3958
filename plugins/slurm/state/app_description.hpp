// Descriptions of apps from jobs and records.
#pragma once

#include <string>
#include <vector>

#include "plugins/slurm/state/job_record.hpp"
#include "plugins/slurm/state/queue_job.hpp"
#include "slipway/status.hpp"

namespace slipway::slurm {

/// Describes an app that Slipway submitted. `jobs` are the app's jobs that Slurm knows. If Slurm
/// has forgotten them, the result in the record decides the app's state; without a result it is
/// UNKNOWN. The replicas' records have their exit codes and nodes; the job's state decides the
/// rest.
Description describe_app(const JobRecord& record, const std::vector<QueueJob>& jobs);

/// Describes a job without a record as TorchX does: components are replicas named `role-N`, and the
/// last one decides the state. A component of a job with Slipway's mark may also be a whole role.
/// Throws Error kInvalid for a job without Slipway's mark whose name is not of the form `role-N`.
Description describe_jobs(const std::string& app_id, const std::vector<QueueJob>& jobs);

/// Returns one item for each app among the jobs, newest first. The components of a job, or the
/// tasks of an array, are one app.
std::vector<ListItem> list_apps(const std::vector<QueueJob>& jobs);

}  // namespace slipway::slurm
