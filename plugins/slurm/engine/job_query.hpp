// Asking Slurm for jobs: one query a command where it answers, whatever the number of components.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plugins/slurm/engine/job_id.hpp"
#include "plugins/slurm/state/queue_job.hpp"
#include "slipway/error.hpp"
#include "slipway/host.hpp"

namespace slipway::slurm {

struct JobAnswer {
  std::vector<QueueJob> jobs;  ///< of the app; none where Slurm does not know it (any more)
  bool others_only = false;    ///< accounting answered, but about other jobs alone
  std::string problem;  ///< why accounting could not be asked; empty: it answered, or there is none
};

/// The job of an app that Slipway submitted, from `scontrol show job`, which looks at that one job.
/// A job that left the queue is looked for in accounting. Throws Error kTemporary where the
/// controller does not answer, kInvalid where the answer cannot be understood.
JobAnswer query_own_app(const JobId& id, const Call& call);

/// The same for a job that has no record: from squeue in JSON, which also reports what the job was
/// given; from scontrol where squeue has no JSON.
JobAnswer query_any_app(const JobId& id, const Call& call);

/// This user's jobs as two sources report them. A source that cannot be asked has no jobs and a
/// problem.
struct JobLists {
  std::vector<QueueJob>
      queued;  ///< what the controller knows: waiting, running and lately ended jobs
  std::vector<QueueJob> accounted;  ///< what accounting knows, of the last 30 days
  std::optional<Error> queue_problem;
  std::string accounting_problem;  ///< empty: none, or the site keeps no accounts
};

/// Asks both at the same time. Throws Error kCancelled.
JobLists query_jobs(const Call& call);

/// The words that squeue has for the states of a job's components or tasks, by the job's number:
/// each word once, sorted, with commas ("COMPLETED,RUNNING"). Empty: Slurm does not know the job
/// (any more).
using JobStates = std::map<std::int64_t, std::string>;

/// The states of these jobs of this user on a cluster (empty: the one that this host belongs to).
/// Asks for a single job alone, and for several by the user's name, which spares the controller all
/// other users' jobs. Asks once: the caller asks again and again. Throws Error as query_own_app()
/// does, also when `cancel_fd` becomes readable.
JobStates query_states(const std::string& cluster, const std::set<std::int64_t>& jobs,
                       int cancel_fd);

/// The job whose comment holds the mark, of this user and still in the queue.
std::optional<QueueJob> query_mark(const std::string& mark, const Call& call);

}  // namespace slipway::slurm
