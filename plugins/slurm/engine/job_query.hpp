// Asks Slurm about jobs, with one command for any number of components.
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
  std::vector<QueueJob> jobs;  ///< of the app; none if Slurm does not know it, or no longer
  bool others_only = false;    ///< accounting answered, but only about other jobs
  std::string problem;  ///< why accounting did not answer; empty if it did, or if there is none
};

/// Asks about the job of an app that Slipway submitted, by `scontrol show job`, which reads one
/// job. Asks accounting about a job that left the queue. Throws Error kTemporary if the controller
/// does not answer, kInvalid for an answer that it cannot read.
JobAnswer query_own_app(const JobId& id, const Call& call);

/// Does the same for a job without a record, whose answer also has the hosts and what the job got
/// of them: by squeue in JSON, and before 23.02 by `scontrol --details`.
JobAnswer query_any_app(const JobId& id, const Call& call);

/// This user's jobs as two sources report them. A source that does not answer has no jobs and a
/// problem.
struct JobLists {
  std::int64_t asked_at_ns = 0;     ///< before the controller was asked, on the system's clock
  std::vector<QueueJob> queued;     ///< the controller's: waiting, running and lately ended jobs
  std::vector<QueueJob> accounted;  ///< accounting's, of the last 30 days
  std::optional<Error> queue_problem;
  std::string accounting_problem;  ///< empty also if the site keeps no accounts
};

/// Fills in the controller's half. Throws Error kCancelled.
void query_queue(JobLists& lists, const Call& call);
/// Fills in accounting's half; may run at the same time as query_queue(). Throws Error kCancelled.
void query_accounting(JobLists& lists, const Call& call);

/// The states of a job's components or tasks in squeue's words, by the job's number: each word
/// once, sorted, with commas ("COMPLETED,RUNNING"). Empty: Slurm does not know the job, or no
/// longer.
using JobStates = std::map<std::int64_t, std::string>;

/// Returns the states of these jobs of this user on a cluster (empty: this host's). Asks for a
/// single job by its number, and for several by the user, which spares the controller the jobs of
/// all other users. Does not repeat a query that fails: the caller asks regularly. Throws Error
/// as query_own_app() does, also when `cancel_fd` becomes readable.
JobStates query_states(const std::string& cluster, const std::set<std::int64_t>& jobs,
                       int cancel_fd);

/// Returns this user's job in the queue whose comment holds the mark.
std::optional<QueueJob> query_mark(const std::string& mark, const Call& call);

}  // namespace slipway::slurm
