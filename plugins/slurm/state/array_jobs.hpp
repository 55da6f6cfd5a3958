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

  /// Returns the job of a task. For a task without its own job, returns the job that stands for all
  /// waiting tasks; nullptr if there is neither.
  const QueueJob* task(std::int32_t id) const;

 private:
  std::unordered_map<std::int32_t, const QueueJob*> tasks_;
  const QueueJob* waiting_ = nullptr;  // stands for all waiting tasks
};

/// Returns the tasks in a text such as "2-3,7,10-20:5%2". Skips parts that it cannot read, because
/// Slurm ends long texts with "...".
std::vector<std::int32_t> array_task_ids(std::string_view text);

/// Returns the state of an app whose replicas Slurm schedules one by one. `tasks` has the state of
/// each replica's job, which Slurm may start again after its replica has recorded an end. When all
/// of these have ended, or are UNKNOWN, the app is FAILED if a replica is, otherwise CANCELLED or
/// UNKNOWN if a replica is, otherwise SUCCEEDED. Until then, it is RUNNING if a replica has
/// started, otherwise PENDING.
AppState array_state(const std::vector<ReplicaStatus>& replicas,
                     const std::vector<AppState>& tasks);

}  // namespace slipway::slurm
