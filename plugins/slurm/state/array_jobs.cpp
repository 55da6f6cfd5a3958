#include "plugins/slurm/state/array_jobs.hpp"

#include <algorithm>
#include <optional>

#include "sdk/support/plain_number.hpp"

namespace slipway::slurm {

namespace {

// The largest MaxArraySize that Slurm allows is 4000001.
constexpr std::int32_t kLargestTask = 4000000;

std::optional<std::int32_t> task_number(std::string_view text) {
  const auto number = plain_number<std::int32_t>(text);
  return number && *number >= 0 && *number <= kLargestTask ? number : std::nullopt;
}

}  // namespace

std::vector<std::int32_t> array_task_ids(std::string_view text) {
  std::vector<std::int32_t> out;
  text = text.substr(0, text.find('%'));
  while (!text.empty()) {
    std::string_view piece = text.substr(0, text.find(','));
    text.remove_prefix(std::min(piece.size() + 1, text.size()));
    const std::size_t colon = piece.find(':');
    const auto step = colon == std::string_view::npos ? std::optional<std::int32_t>(1)
                                                      : task_number(piece.substr(colon + 1));
    piece = piece.substr(0, colon);
    const std::size_t dash = piece.find('-');
    const auto first = task_number(piece.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : task_number(piece.substr(dash + 1));
    if (!first || !last || !step || *step == 0) continue;
    for (std::int32_t id = *first; id <= *last; id += *step) out.push_back(id);
  }
  return out;
}

ArrayJobs::ArrayJobs(const std::vector<QueueJob>& jobs) {
  for (const QueueJob& job : jobs) {
    if (job.array_task) {
      tasks_.emplace(*job.array_task, &job);
    } else {
      waiting_ = &job;
    }
  }
  if (waiting_ == nullptr) return;
  waiting_tasks_ = array_task_ids(waiting_->array_tasks);
  std::sort(waiting_tasks_.begin(), waiting_tasks_.end());
}

bool ArrayJobs::may_wait(std::int32_t id) const {
  if (waiting_ == nullptr) return false;
  const std::string_view text = waiting_->array_tasks;
  if (text.empty()) return true;  // Slurm does not say which tasks wait
  if (std::binary_search(waiting_tasks_.begin(), waiting_tasks_.end(), id)) return true;
  // Slurm cuts off the last numbers of a long text.
  const bool is_cut = text.substr(0, text.find('%')).ends_with("...");
  return is_cut && (waiting_tasks_.empty() || id > waiting_tasks_.back());
}

const QueueJob* ArrayJobs::task(std::int32_t id) const {
  const auto job = tasks_.find(id);
  if (job != tasks_.end()) return job->second;
  return may_wait(id) ? waiting_ : nullptr;
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
