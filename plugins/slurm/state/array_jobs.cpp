#include "plugins/slurm/state/array_jobs.hpp"

#include <algorithm>

namespace slipway::slurm {

ArrayJobs::ArrayJobs(const std::vector<QueueJob>& jobs) {
  for (const QueueJob& job : jobs) {
    if (job.array_task) {
      tasks_.emplace(*job.array_task, &job);
    } else {
      waiting_ = &job;
    }
  }
}

const QueueJob* ArrayJobs::task(std::int32_t id) const {
  const auto job = tasks_.find(id);
  return job != tasks_.end() ? job->second : waiting_;
}

AppState array_state(const std::vector<ReplicaStatus>& replicas,
                     const std::vector<AppState>& tasks) {
  const auto is_state = [](AppState state) {
    return [state](const ReplicaStatus& replica) { return replica.state == state; };
  };
  const auto some = [&](AppState state) {
    return std::any_of(replicas.begin(), replicas.end(), is_state(state));
  };
  const bool is_over = std::all_of(tasks.begin(), tasks.end(), [](AppState task) {
    return is_terminal(task) || task == AppState::kUnknown;
  });
  if (is_over) {
    for (const AppState state : {AppState::kFailed, AppState::kCancelled, AppState::kUnknown}) {
      if (some(state)) return state;
    }
    return AppState::kSucceeded;
  }
  const bool has_started =
      std::any_of(replicas.begin(), replicas.end(),
                  [](const ReplicaStatus& one) { return is_started(one.state); });
  return has_started ? AppState::kRunning : AppState::kPending;
}

}  // namespace slipway::slurm
