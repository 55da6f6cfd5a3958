// The list of a user's apps from the queue, accounting and records.
#pragma once

#include <string>
#include <vector>

#include "plugins/slurm/engine/job_query.hpp"
#include "plugins/slurm/state/job_record.hpp"
#include "slipway/status.hpp"

namespace slipway::slurm {

/// Returns one item for each app, newest first. The queue decides which apps have not ended;
/// accounting and records describe those that have ended. Leaves out ended apps that the user
/// deleted. With `active_only`, also leaves out recorded apps whose job has left the queue. If
/// Slurm did not answer the submission of an app, and the queue shows its job or the job has
/// started, writes the job's id into the record; see resolve_record().
std::vector<ListItem> list_all(const std::string& state_root, const JobLists& jobs,
                               const std::vector<KnownApp>& known, bool active_only,
                               const Call& call);

}  // namespace slipway::slurm
