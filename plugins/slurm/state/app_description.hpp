// Describes and lists apps from jobs and records.
#pragma once

#include <string>
#include <vector>

#include "plugins/slurm/state/job_record.hpp"
#include "plugins/slurm/state/queue_job.hpp"
#include "slipway/status.hpp"

namespace slipway::slurm {

/// Describes an app that Slipway submitted. `jobs` are the app's jobs that Slurm knows. If Slurm
/// has forgotten them, the result in the record decides the app's state. Without a result, the
/// state is CANCELLED if the user cancelled the app before Slurm answered its submission, and
/// otherwise UNKNOWN. What replicas have recorded, such as exit codes, nodes and times, comes from
/// their records, everything else from the jobs.
Description describe_app(const JobRecord& record, const std::vector<QueueJob>& jobs);

/// Describes a job without a record as TorchX does: each component (see Shape in job_plan.hpp) is a
/// replica with the name `role-N`, and the last component decides the app's state. All tasks of an
/// array decide the app's state. In a job with Slipway's mark, a component may also be a whole
/// role, and each task of an array is a replica. Throws Error kInvalid for a job without Slipway's
/// mark whose name does not have the form `role-N`. Without jobs, the description has only the id,
/// and the state UNKNOWN.
Description describe_jobs(const std::string& app_id, const std::vector<QueueJob>& jobs);

/// Returns one item for each app among the jobs, newest first. The components of a job, or the
/// tasks of an array, are one app. The first component decides the name and the state of its app,
/// all tasks decide the state of an array. Here flags (job_state.hpp) decide the state of any job,
/// also of one without Slipway's mark: a line of squeue has a flag in place of the base state.
std::vector<ListItem> list_apps(const std::vector<QueueJob>& jobs);

}  // namespace slipway::slurm
