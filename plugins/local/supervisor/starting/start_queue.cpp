#include "plugins/local/supervisor/starting/start_queue.hpp"

#include <algorithm>

#include "plugins/local/engine/clocks.hpp"

namespace slipway::local {

StartQueue::StartQueue(AppFiles& files, const Replicas& replicas, const Rounds& rounds,
                       const Dependencies& dependencies)
    : files_(files), replicas_(replicas), rounds_(rounds), dependencies_(dependencies) {
  for (const RoleSpan& span : files.roles()) has_services_ = has_services_ || span.rules.service;
}

void StartQueue::add(std::uint32_t index) {
  // A restart of the app starts its roles in order again. A retry does not wait for other roles.
  if (!dependencies_.may_start(files_.role_of(index)) && rounds_.attempts_in_round(index) == 0) {
    blocked_.push_back(index);
    return;
  }
  waiting(kind_of(files_.roles()[files_.role_of(index)]))
      .push({files_.state().tail(index).due_ns.load(), index, replicas_.attempt(index)});
}

const Due* StartQueue::first_waiting(Kind kind) {
  // An entry is obsolete if the replica has changed since add().
  return waiting(kind).first([this](const Due& due) {
    return replicas_.state(due.index) == RecordState::kPending &&
           replicas_.attempt(due.index) == due.attempt &&
           files_.state().tail(due.index).due_ns.load() == due.due_ns && !rounds_.is_old(due.index);
  });
}

/// Returns whether max_parallel lets no further work start.
bool StartQueue::is_full(std::uint32_t under_way) const {
  const std::int32_t most = files_.plan().rules.max_parallel;
  return most != 0 && replicas_.running_work() + under_way >= static_cast<std::uint32_t>(most);
}

std::uint32_t StartQueue::next(std::uint32_t under_way) {
  if (!blocked_.empty()) recheck_blocked();
  if (has_services_) {
    const std::uint32_t index = next_of(Kind::kServiceRole);
    if (index != kNoReplica) return index;
  }
  return is_full(under_way) ? kNoReplica : next_of(Kind::kWorkRole);
}

std::uint32_t StartQueue::next_of(Kind kind) {
  const Due* due = first_waiting(kind);
  if (due != nullptr && due->due_ns <= boottime_ns()) return due->index;
  return next_fresh(kind);
}

/// Returns the first replica that was never started and may start now.
std::uint32_t StartQueue::next_fresh(Kind kind) {
  // A replica that a restart included comes through add().
  const auto is_fresh = [this](std::uint32_t index) {
    return replicas_.state(index) == RecordState::kPending && replicas_.attempt(index) == 0 &&
           !rounds_.saw_restart(index);
  };
  if (fresh_.empty()) {
    for (const RoleSpan& span : files_.roles()) fresh_.push_back(span.first);
  }
  for (std::uint32_t role = first_role_; role < fresh_.size(); ++role) {
    if (kind_of(files_.roles()[role]) != kind || !dependencies_.may_start(role)) continue;
    const std::uint32_t end = files_.roles()[role].first + files_.roles()[role].count;
    std::uint32_t& fresh = fresh_[role];
    while (fresh < end && !is_fresh(fresh)) ++fresh;
    if (fresh < end) return fresh;
    if (role == first_role_) ++first_role_;
  }
  return kNoReplica;
}

void StartQueue::recheck_blocked() {
  std::vector<std::uint32_t> blocked;
  blocked.swap(blocked_);
  for (const std::uint32_t index : blocked) add(index);
}

std::int64_t StartQueue::next_due() {
  const Due* service = first_waiting(Kind::kServiceRole);
  const Due* work = is_full(0) ? nullptr : first_waiting(Kind::kWorkRole);
  return std::min(service != nullptr ? service->due_ns : kNever,
                  work != nullptr ? work->due_ns : kNever);
}

}  // namespace slipway::local
