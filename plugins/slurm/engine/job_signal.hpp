// Sends signals to the processes of a job. A command that failed to send a signal is not repeated,
// because some processes may have got the signal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugins/slurm/engine/job_id.hpp"
#include "plugins/slurm/state/queue_job.hpp"
#include "slipway/host.hpp"

namespace slipway::slurm {

/// Returns whether the shell around a replica (script/replica_shell.hpp) survives the signal if all
/// processes of its step get it. Other signals end or stop the shell, so that it cannot record how
/// the replica ended.
bool wrapper_outlives(int signal);

/// A running step of a job; the batch script is not one of them.
struct JobStep {
  std::string id;        ///< in the form of squeue and scancel: "12.0", "12_3.0"
  std::int64_t job = 0;  ///< QueueJob::id of its component or task
};

/// Returns the steps of `jobs`, which are components or tasks of the job `id`; none if the job has
/// ended. Throws as ask() and command_error() do: Error kTemporary if the controller does not
/// answer.
std::vector<JobStep> query_steps(const JobId& id, const std::vector<QueueJob>& jobs,
                                 const Call& call);

/// Sends `signal` to every process of the steps. Does nothing for steps that have ended. Throws
/// Error kTemporary if the signal may or may not have been sent, kDenied for the job of another
/// user.
void signal_steps(const JobId& id, const StrList& steps, int signal, const Call& call);

/// The main process of a replica, from the replica's record.
struct ReplicaProcess {
  std::int32_t replica = 0;
  std::string node;
  std::int64_t pid = 0;
};

/// Sends `signal` to these processes and their descendants. Starts a step on their nodes for this,
/// which takes no resources from the job. `component` is the job, component or task that the
/// processes belong to, and `part` is its number in the batch script. Returns the replicas that got
/// the signal. Throws as signal_steps() does, and Error kUnimplemented for a job of another
/// cluster.
std::vector<std::int32_t> signal_programs(const JobId& id, const QueueJob& component,
                                          std::size_t part,
                                          const std::vector<ReplicaProcess>& processes, int signal,
                                          const Call& call);

/// Returns the script that signal_programs() runs on each node by `bash -c SCRIPT NAME APP PART
/// SIGNAL [PID REPLICA NODE]...`. The script signals the programs of the replicas that run on its
/// node, and their descendants, and prints the number of each replica that got the signal. It
/// signals a PID only if the parent of that process is the shell around a replica of component PART
/// of job APP, because the kernel may have given the number to another process.
std::string node_signal_script();

}  // namespace slipway::slurm
