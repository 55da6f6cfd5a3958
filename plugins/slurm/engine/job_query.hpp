// Asks Slurm about jobs. One command asks about all components of a heterogeneous job, or all tasks
// of an array.
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
  std::vector<QueueJob> jobs;  ///< jobs of the app; none if Slurm does not know it (any more)
  bool others_only = false;    ///< accounting answered, but only with jobs of other apps
  std::string problem;         ///< why accounting did not answer; empty if it did or is not used
};

/// Asks about the job of an app that Slipway submitted, by `scontrol show job`, which reads one
/// job. Asks accounting about a job that left the queue; a failure of accounting is no error.
/// Throws Error kInvalid for an answer that it cannot read, and as ask() and command_error() do:
/// kTemporary if the controller does not answer.
JobAnswer query_own_app(const JobId& id, const Call& call);

/// Does the same for a job without a record. The answer also has the job's hosts, and the CPUs and
/// the memory that it got. Uses squeue in JSON, and `scontrol --details` before Slurm 23.02 and
/// where squeue has no JSON.
JobAnswer query_any_app(const JobId& id, const Call& call);

/// This user's jobs as two sources report them. A source that does not answer has no jobs and a
/// problem.
struct JobLists {
  std::int64_t asked_at_ns = 0;     ///< time before the query to the controller, since the epoch
  std::vector<QueueJob> queued;     ///< from the controller: waiting, running, recently ended
  std::vector<QueueJob> accounted;  ///< from accounting: the last 30 days
  std::optional<Error> queue_problem;
  std::string accounting_problem;  ///< also empty if the site has no accounting
};

/// Fills in the controller's half. Throws Error kCancelled.
void query_queue(JobLists& lists, const Call& call);
/// Fills in accounting's half; may run at the same time as query_queue(). Throws Error kCancelled.
void query_accounting(JobLists& lists, const Call& call);

/// By the number of a job: the states of its components or tasks in squeue's words, each word once,
/// sorted, with commas ("COMPLETED,RUNNING"). An empty text means that Slurm does not know the job,
/// or does not know it any more, or that it has ended although squeue shows it as STOPPED.
/// Components and tasks that ended in this way are left out.
using JobStates = std::map<std::int64_t, std::string>;

/// Returns the states of these jobs of this user on a cluster (empty: as in JobId). Asks
/// for a single job by its number. Asks for several jobs by the user's name, so that the controller
/// does not look at the jobs of other users. Does not repeat a query that fails, because the caller
/// asks regularly. Throws the errors of command_error(), and Error kTemporary if squeue does not
/// run to its end, which includes that it is missing, or that `cancel_fd` becomes readable.
JobStates query_states(const std::string& cluster, const std::set<std::int64_t>& jobs,
                       int cancel_fd);

/// Returns the id of the app whose job has the mark in its comment and is in the queue, in the form
/// of `sbatch --parsable`; nullopt if there is none. `clusters` is a value of the option
/// `--clusters`; empty: the cluster that this machine's configuration names. Throws as ask() and
/// command_error() do.
std::optional<std::string> query_mark(const std::string& mark, const std::string& clusters,
                                      const Call& call);

}  // namespace slipway::slurm
