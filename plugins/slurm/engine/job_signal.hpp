// Signals for the processes of a job. None of these calls is repeated: whether a command that
// failed has sent the signal is not known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugins/slurm/engine/job_id.hpp"
#include "plugins/slurm/state/queue_job.hpp"
#include "slipway/host.hpp"

namespace slipway::slurm {

/// A step that runs; the batch script is none.
struct JobStep {
  std::string id;        ///< as squeue prints it and scancel takes it: "12.0", "12_3.0"
  std::int64_t job = 0;  ///< QueueJob::id of its component or task
};

/// The steps of `jobs`, components or tasks of the job `id`. Throws Error kTemporary where the
/// controller does not answer.
std::vector<JobStep> query_steps(const JobId& id, const std::vector<QueueJob>& jobs,
                                 const Call& call);

/// Sends `signal` to every process of the steps. Throws Error kTemporary where it may or may not
/// have been sent, kDenied for the job of another user.
void signal_steps(const JobId& id, const StrList& steps, int signal, const Call& call);

/// The main process of a replica, as its record has it.
struct ReplicaProcess {
  std::int32_t replica = 0;
  std::string node;
  std::int64_t pid = 0;
};

/// Sends `signal` to these processes and to what they have started, by a step of its own on their
/// nodes, which takes nothing from the job. `component` is the job or component or task that they
/// are of, and the `part`-th of the app. Returns the replicas that got it. Throws as signal_steps()
/// does; kUnimplemented for a job of another cluster.
std::vector<std::int32_t> signal_programs(const JobId& id, const QueueJob& component,
                                          std::size_t part,
                                          const std::vector<ReplicaProcess>& processes, int signal,
                                          const Call& call);

}  // namespace slipway::slurm
