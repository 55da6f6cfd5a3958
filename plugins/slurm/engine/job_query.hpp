// Asking Slurm for jobs: one query a command where it answers, whatever the number of components.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugins/slurm/engine/job_id.hpp"
#include "plugins/slurm/state/queue_job.hpp"
#include "slipway/host.hpp"

namespace slipway::slurm {

struct JobAnswer {
  std::vector<QueueJob> jobs;  ///< of the app, none where Slurm does not know it (any more)
  bool others_only = false;    ///< accounting answered, but about other jobs alone
};

/// squeue in JSON, or scontrol where squeue has none; a job that left the queue is looked for in accounting. Throws Error
/// kTemporary where Slurm does not answer, kInvalid where it cannot be understood.
JobAnswer query_app(const JobId& id, const Call& call);

/// All jobs of this user: from accounting where there is one (the last 30 days), else from the queue.
std::vector<QueueJob> query_jobs(const Call& call);

/// The job whose comment holds the mark.
std::optional<QueueJob> query_mark(const std::string& mark, const Call& call);

}  // namespace slipway::slurm
