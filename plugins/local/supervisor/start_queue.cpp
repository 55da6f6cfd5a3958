#include "plugins/local/supervisor/start_queue.hpp"

namespace slipway::local {

void StartQueue::wait(std::uint32_t index) {
  waiting_.push({files_.state().record(index).due_ns.load(), index, replicas_.attempt(index)});
}

const Due* StartQueue::first_waiting() {
  return waiting_.first([this](const Due& due) {
    return replicas_.state(due.index) == RecordState::kPending &&
           replicas_.attempt(due.index) == due.attempt &&
           files_.state().record(due.index).due_ns.load() == due.due_ns &&
           !rounds_.is_old(due.index);
  });
}

bool StartQueue::full() const {
  const std::int32_t most = files_.plan().rules.max_parallel;
  return most != 0 && replicas_.running() >= static_cast<std::uint32_t>(most);
}

std::uint32_t StartQueue::next() {
  if (full()) return PidTable::kNone;
  const Due* due = first_waiting();
  if (due != nullptr && due->due_ns <= boottime_ns()) return due->index;
  const auto is_fresh = [this](std::uint32_t index) {
    return replicas_.state(index) == RecordState::kPending && replicas_.attempt(index) == 0 &&
           !rounds_.was_repeated(index);
  };
  while (fresh_ < replicas_.count() && !is_fresh(fresh_)) ++fresh_;
  return fresh_ < replicas_.count() ? fresh_ : PidTable::kNone;
}

std::int64_t StartQueue::next_due() {
  const Due* due = full() ? nullptr : first_waiting();
  return due != nullptr ? due->due_ns : kNever;
}

}  // namespace slipway::local
