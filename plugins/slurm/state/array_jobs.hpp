// The tasks of a job array among jobs.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plugins/slurm/state/queue_job.hpp"

namespace slipway::slurm {

/// Looks into the jobs that it was made with.
class ArrayJobs {
 public:
  explicit ArrayJobs(const std::vector<QueueJob>& jobs);

  /// The job of a task; the group that has not started stands for every task that has no job of its
  /// own. nullptr: none.
  const QueueJob* task(std::int32_t id) const;

 private:
  std::unordered_map<std::int32_t, const QueueJob*> tasks_;
  const QueueJob* waiting_ = nullptr;
};

/// Returns the tasks that Slurm's text names, such as "2-3,7,10-20:5%2". Leaves out what it does
/// not understand: Slurm cuts long texts off with "...".
std::vector<std::int32_t> array_task_ids(std::string_view text);

/// The state of an app whose replicas are scheduled one by one: over when Slurm says so of every
/// task (`tasks`, one for each replica), and then FAILED or CANCELLED or UNKNOWN if one of the
/// replicas is; RUNNING as soon as one has started.
AppState array_state(const std::vector<ReplicaStatus>& replicas,
                     const std::vector<AppState>& tasks);

}  // namespace slipway::slurm
