// Finds the jobs of an array's tasks, and decides the state of the array.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plugins/slurm/state/queue_job.hpp"

namespace slipway::slurm {

/// Finds the job of each task. The jobs that the constructor gets must outlive the object.
class ArrayJobs {
 public:
  explicit ArrayJobs(const std::vector<QueueJob>& jobs);

  /// Returns the job of a task. For a task without its own job, returns the job that stands for the
  /// waiting tasks, if the task may be one of them. Otherwise returns nullptr: Slurm has forgotten
  /// the task.
  const QueueJob* task(std::int32_t id) const;

 private:
  bool may_wait(std::int32_t id) const;

  std::unordered_map<std::int32_t, const QueueJob*> tasks_;
  const QueueJob* waiting_ = nullptr;        // stands for all waiting tasks
  std::vector<std::int32_t> waiting_tasks_;  // sorted
};

/// Returns the tasks in a text such as "2-3,7,10-20:5%2". Skips parts that it cannot read, because
/// Slurm ends long texts with "...".
std::vector<std::int32_t> array_task_ids(std::string_view text);

/// Returns the state of an app whose replicas Slurm schedules one by one. `tasks` has the state of
/// each replica's job. A job that Slurm requeues is not terminal, although its replica has recorded
/// an end; so `tasks` decides whether the app is over. When all of these have ended, or are
/// UNKNOWN, the app is FAILED if a replica is, otherwise CANCELLED or UNKNOWN if a replica is,
/// otherwise SUCCEEDED. Until then, it is RUNNING if a replica has started, otherwise PENDING.
AppState array_state(const std::vector<ReplicaStatus>& replicas,
                     const std::vector<AppState>& tasks);

}  // namespace slipway::slurm
