#include "plugins/local/supervisor/ending/replica_stopper.hpp"

#include <signal.h>

namespace slipway::local {

void ReplicaStopper::stop(std::uint32_t index) {
  const std::int64_t grace_ns = files_.plan().rules.grace_ms * 1'000'000;
  ladder_.signal_one(index, grace_ns == 0 ? SIGKILL : SIGTERM);
  if (grace_ns == 0) return;
  // A stopped process handles SIGTERM only when it continues.
  ladder_.signal_one(index, SIGCONT);
  kills_.push({boottime_ns() + grace_ns, index, replicas_.attempt(index)});
}

const Due* ReplicaStopper::first() {
  return kills_.first([this](const Due& due) {
    return replicas_.is_running(due.index) && replicas_.attempt(due.index) == due.attempt;
  });
}

std::int64_t ReplicaStopper::next_due() {
  const Due* due = first();
  return due != nullptr ? due->due_ns : kNever;
}

void ReplicaStopper::on_time(std::int64_t now_ns) {
  for (const Due* due = first(); due != nullptr && due->due_ns <= now_ns; due = first()) {
    ladder_.signal_one(due->index, SIGKILL);
    kills_.pop();
  }
}

}  // namespace slipway::local
