// Finds the jobs of an array's tasks, and decides the state of the array.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plugins/slurm/state/queue_job.hpp"

namespace slipway::slurm {

/// Finds the job of each task. Refers to the jobs that it was made with.
class ArrayJobs {
 public:
  explicit ArrayJobs(const std::vector<QueueJob>& jobs);

  /// Returns the job of a task, or the group of waiting tasks for a task without its own job;
  /// nullptr if there is neither.
  const QueueJob* task(std::int32_t id) const;

 private:
  std::unordered_map<std::int32_t, const QueueJob*> tasks_;
  const QueueJob* waiting_ = nullptr;
};

/// Returns the tasks of a text such as "2-3,7,10-20:5%2". Skips parts that it cannot read: Slurm
/// ends long texts with "...".
std::vector<std::int32_t> array_task_ids(std::string_view text);

/// Returns the state of an app whose replicas Slurm schedules one by one. The app is over when
/// every task is (`tasks`, one for each replica). It is then FAILED, CANCELLED or UNKNOWN if a
/// replica is, in this order. Before, it is RUNNING as soon as a replica has started.
AppState array_state(const std::vector<ReplicaStatus>& replicas,
                     const std::vector<AppState>& tasks);

}  // namespace slipway::slurm
