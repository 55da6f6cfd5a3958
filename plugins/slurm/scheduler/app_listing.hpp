// The list of a user's apps from the queue, accounting and records.
#pragma once

#include <string>
#include <vector>

#include "plugins/slurm/engine/job_query.hpp"
#include "plugins/slurm/state/job_record.hpp"
#include "slipway/status.hpp"

namespace slipway::slurm {

/// Returns one item for each app, newest first. The queue decides which apps live; accounting and
/// records describe those that have ended. Leaves out ended apps whose record was deleted. With
/// ListScope::kActive, also leaves out recorded apps whose job has left the queue. Records the
/// job's id of an app whose submission was not answered, if the queue shows the job or the job has
/// started; see resolve_record().
std::vector<ListItem> list_all(const std::string& state_root, const JobLists& jobs,
                               const std::vector<KnownApp>& known, bool active_only,
                               const Call& call);

}  // namespace slipway::slurm
