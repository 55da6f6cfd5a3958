#include "plugins/local/supervisor/recovering/take_over.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <cstring>

#include "plugins/local/engine/machine_identity.hpp"
#include "plugins/local/supervisor/starting/start_pause.hpp"

namespace slipway::local {
namespace {

/// Returns whether `pid` is a child of this process, perhaps one that has ended.
bool is_child(std::int32_t pid) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/// Removes the app's message if it names a shortage that may have passed: before the app's start
/// the GPUs that it waits for, later what the next start waits for.
void clear_shortage(AppFiles& files) {
  const AppState state = files.state().app_state();
  if (state == AppState::kSubmitted || files.state().message().starts_with(kWaiting))
    files.set_message("");
}

}  // namespace

void TakeOver::run() {
  AppFiles& files = parts_.files;
  const StateHeader& header = files.state().header();
  if (std::memcmp(header.fixed.boot_id, boot_id().data(), sizeof header.fixed.boot_id) != 0) {
    if (parts_.replicas.unfinished() != 0)
      files.set_message("the machine was restarted while the app ran");
    parts_.replicas.record_all_as_lost();
    return;
  }
  take_over_replicas();
  // Leases the GPUs before orphans end and another app can lease theirs.
  if (parts_.replicas.unfinished() != 0) parts_.gpus.acquire(files);
  if (files.state().stop_cause() != StopCause::kNone) return parts_.app_stopper.resume();
  clear_shortage(files);
  parts_.restarts.resume();
  cancel_if_unwatched();
}

void TakeOver::take_over_replicas() {
  parts_.orphans.remember_sessions(both_died_);
  // A warden inherits every child of its supervisor, so it need not ask about 10,000 of them.
  const bool all_are_children = is_warden_ && !both_died_;
  for (std::uint32_t i = 0; i < parts_.replicas.count(); ++i)
    take_over_replica(i, all_are_children);
  parts_.readiness.kill_leftover_commands();
  // Probe commands that are no children of this process.
  if (parts_.readiness.uses_commands() && parts_.orphans.may_exist())
    parts_.orphans.kill_marked(kProbeMark);
}

void TakeOver::take_over_replica(std::uint32_t index, bool all_are_children) {
  if (take_back_promise(index)) return;
  if (parts_.replicas.state(index) != RecordState::kRunning) {
    parts_.files.finish_edits(index);
    return;
  }
  const std::int32_t pid = parts_.replicas.pid(index);
  if (all_are_children || is_child(pid)) {
    parts_.replicas.record_take_over(index, pid);
  } else {
    parts_.orphans.take_over(index);
  }
  // Orphans::take_over() may have recorded it as lost.
  if (!parts_.replicas.is_running(index)) return;
  parts_.limits.watch(index);
  parts_.readiness.watch(index);
  const std::uint32_t flags = parts_.files.state().head(index).flags.load();
  // The predecessor was stopping it.
  if ((flags & (kTimedOut | kUnready)) != 0) parts_.ladder.stop_one(index);
}

/// Takes back the promise of a start that no child has claimed. If a child claims the replica at
/// the same moment, one of the two wins, and the other leaves the replica alone. Returns whether
/// this process took a promise back, so that the replica is PENDING.
bool TakeOver::take_back_promise(std::uint32_t index) {
  AppFiles& files = parts_.files;
  std::uint64_t word = files.state().head(index).word.load();
  if (word_state(word) != RecordState::kStarting) return false;
  const std::uint64_t pending = make_word(RecordState::kPending, word_attempt(word) - 1, 0);
  const bool taken = files.in_file(index).head.word.compare_exchange_strong(word, pending);
  // Else `word` is the claim of the child.
  files.edit(index).head.word.store(taken ? pending : word);
  if (taken) files.save(index);
  return taken;
}

/// Unless this process was the warden of the first supervisor, cancels an app without an
/// acknowledged submission, and an app with an owner: this process has not inherited the owner's
/// socket, so it cannot see when the owner ends.
void TakeOver::cancel_if_unwatched() {
  if (is_warden_ && !both_died_) return;
  const StateHeader& header = parts_.files.state().header();
  if (header.acknowledged.load() == 0) {
    parts_.app_stopper.cancel_now("the command that submitted it died before the app was started");
  } else if ((header.fixed.traits & kOwned) != 0 && header.acknowledged.load() != kReleased) {
    parts_.app_stopper.cancel(kGraceOfRoles,
                              "cancelled because its supervisor and its warden died, and their "
                              "successor cannot watch the command that started it");
  }
}

}  // namespace slipway::local
