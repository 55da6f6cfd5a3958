// The list of a user's apps, from the queue, from accounting and from records.
#pragma once

#include <string>
#include <vector>

#include "plugins/slurm/engine/job_query.hpp"
#include "plugins/slurm/state/job_record.hpp"
#include "slipway/status.hpp"

namespace slipway::slurm {

/// One line for each app, newest first. The queue says what lives; accounting and records say what
/// has ended. An app whose record was deleted is left out once it has ended. Records the job's id
/// of an app whose submission was not answered, if the queue shows the job.
std::vector<ListItem> list_all(const std::string& state_root, const JobLists& jobs,
                               const std::vector<KnownApp>& known);

}  // namespace slipway::slurm
