// Signals for the processes of a job. These functions repeat no command that sends a signal: if it
// fails, it may or may not have sent it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugins/slurm/engine/job_id.hpp"
#include "plugins/slurm/state/queue_job.hpp"
#include "slipway/host.hpp"

namespace slipway::slurm {

/// Returns whether the shell around a replica (script/replica_shell.hpp) survives a signal that all
/// processes of its step get. Other signals end or stop the shell, which then cannot record how the
/// replica ended.
bool wrapper_outlives(int signal);

/// A running step of a job; the batch script is not one of them.
struct JobStep {
  std::string id;        ///< in the form of squeue and scancel: "12.0", "12_3.0"
  std::int64_t job = 0;  ///< QueueJob::id of its component or task
};

/// Returns the steps of `jobs`, which are components or tasks of the job `id`. Throws Error
/// kTemporary if the controller does not answer.
std::vector<JobStep> query_steps(const JobId& id, const std::vector<QueueJob>& jobs,
                                 const Call& call);

/// Sends `signal` to every process of the steps. Throws Error kTemporary if the signal may or may
/// not have been sent, kDenied for the job of another user.
void signal_steps(const JobId& id, const StrList& steps, int signal, const Call& call);

/// The main process of a replica, from the replica's record.
struct ReplicaProcess {
  std::int32_t replica = 0;
  std::string node;
  std::int64_t pid = 0;
};

/// Sends `signal` to these processes and their descendants, by a step of its own on their nodes,
/// which takes no resources from the job. `component` is their job, component or task, and the
/// `part`-th of the app. Returns the replicas that got the signal. Throws as signal_steps() does;
/// kUnimplemented for a job of another cluster.
std::vector<std::int32_t> signal_programs(const JobId& id, const QueueJob& component,
                                          std::size_t part,
                                          const std::vector<ReplicaProcess>& processes, int signal,
                                          const Call& call);

/// Returns the script that signal_programs() runs on each node by `bash -c SCRIPT NAME APP PART
/// SIGNAL [PID REPLICA NODE]...`. It signals the programs of the replicas that run on its node, and
/// their descendants, and prints the number of each replica that got the signal. It uses a PID only
/// if its parent is the shell around a replica of component PART of job APP, because the kernel may
/// have given the number to another process.
std::string node_signal_script();

}  // namespace slipway::slurm
