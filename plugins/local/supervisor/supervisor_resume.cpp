// How a supervisor goes on where its predecessor was killed.
#include <signal.h>
#include <sys/wait.h>

#include <cstring>

#include "plugins/local/engine/machine_identity.hpp"
#include "plugins/local/engine/state_store.hpp"
#include "plugins/local/supervisor/supervisor_loop.hpp"

namespace slipway::local {
namespace {

bool is_child(std::int32_t pid) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

}  // namespace

/// What the lines said that its predecessor was killed over.
void Supervisor::tell_again() {
  files_.events().add(files_.changed(), "supervisor replaced");
  if (files_.state().header().started_ns.load() != 0) tell_running();
  if (files_.state().stop_cause() != StopCause::kNone) tell_stopping();
  replicas_.tell_ends();
}

void Supervisor::adopt_all() {
  foreign_.remember_sessions(start_.both_died);
  // A warden inherits whatever its supervisor had not reaped, so that it need not ask for each of
  // 10,000.
  const bool all_ours = start_.mode == SupervisorMode::kTakeOver && !start_.both_died;
  for (std::uint32_t i = 0; i < replicas_.count(); ++i) {
    const ReplicaRecord record = files_.state().record(i);
    std::uint64_t word = record.word.load(std::memory_order_acquire);
    // A promise that no child has claimed is taken back; whoever loses this exchange leaves the
    // replica to the other.
    if (word_state(word) == RecordState::kStarting &&
        record.word.compare_exchange_strong(
            word, make_word(RecordState::kPending, word_attempt(word) - 1, 0))) {
      files_.keep(i);
      continue;
    }
    if (replicas_.state(i) != RecordState::kRunning) {
      files_.finish_edits(i);
      continue;
    }
    const std::int32_t pid = replicas_.pid(i);
    if (all_ours || is_child(pid)) {
      replicas_.runs(i, pid, true);
    } else {
      foreign_.adopt(i);
    }
    if (!replicas_.runs_now(i)) continue;
    limits_.watch(i);
    readiness_.watch(i);
    if ((record.flags.load() & (kTimedOut | kUnready)) != 0) stopper_.stop(i);
  }
  if (foreign_.event_fd() >= 0) watch(foreign_.event_fd(), kForeign);
  readiness_.clear_left();
  if (readiness_.uses_commands() && foreign_.used()) foreign_.kill_marked(kProbeMark);
}

/// Goes on where the predecessor was killed.
void Supervisor::resume() {
  const StateHeader& header = files_.state().header();
  if (std::memcmp(header.fixed.boot_id, boot_id().data(), sizeof header.fixed.boot_id) != 0) {
    if (replicas_.open() != 0) files_.set_message("the machine was restarted while the app ran");
    replicas_.all_lost();
    return;
  }
  adopt_all();
  // At once: nobody else may have them once what was left behind has ended.
  if (replicas_.open() != 0) start_.gpus->acquire(files_.dir_fd());
  if (files_.state().stop_cause() == StopCause::kNone) {
    // What our predecessor may have waited for is not what we will wait for.
    files_.set_message("");
    restarts_.resume();
  }
  const auto cause = static_cast<StopCause>(header.stop_cause.load());
  if (cause != StopCause::kNone) {
    replicas_.cancel_pending();
    if (header.kill_now.load() != 0) {
      ladder_.kill_all();
    } else {
      ladder_.terminate();
      ladder_.arm(header.stop_grace_ms.load());
    }
  } else if (header.acknowledged.load() == 0) {
    if (start_.mode == SupervisorMode::kRecover) {
      stop(StopCause::kCancel, 0, true,
           "the command that submitted it died before the app was started");
    }
  } else if (start_.mode == SupervisorMode::kRecover && (header.fixed.traits & kOwned) != 0) {
    stop(StopCause::kCancel, -1, false, "cancelled because the command that started it has ended");
  }
}

}  // namespace slipway::local
