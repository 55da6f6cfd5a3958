#include "plugins/local/supervisor/starting/starter.hpp"

#include <utility>
#include <vector>

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/transitions.hpp"

namespace slipway::local {
namespace {

constexpr int kStartsPerCall = 32;

}  // namespace

bool Starter::may_start() const {
  return !parts_.pause.is_active() && parts_.files.state().stop_cause() == StopCause::kNone &&
         !parts_.rounds.awaits_old_processes();
}

void Starter::start_some() {
  if (!may_start()) return;
  std::uint32_t index = parts_.queue.next();
  if (index != kNoReplica && !has_begun_) {
    if (!lease_gpus()) return;
    begin_app();
    index = parts_.queue.next();
  }
  for (int n = 0; n < kStartsPerCall && index != kNoReplica && may_start(); ++n) {
    // Reserves space now: a full disk must prevent the start, not the record of the end.
    if (!parts_.pause.reserve_attempts()) break;
    if (launcher_.is_full()) {
      finish_starts();
      // One of these starts may have failed, and so stopped the app or begun a pause.
      if (!may_start() || parts_.replicas.state(index) != RecordState::kPending) break;
    }
    const Launcher::Outcome outcome = launcher_.begin(index);
    if (outcome != Launcher::Outcome::kUnderWay) {
      const StartFailure failure = launcher_.failure();
      finish_starts();
      start_failed(outcome, failure);
    }
    index = parts_.queue.next(launcher_.under_way());
  }
  finish_starts();
  launcher_.release_logs();
  // Roles that waited for the start of these replicas may be next.
  parts_.dependencies.update();
}

/// Leases the app's GPUs. If another app has some of them, or the disk has no room for their
/// numbers, begins a pause and returns false: the kernel has no event for the end of either.
bool Starter::lease_gpus() {
  AppFiles& files = parts_.files;
  const bool is_first_start = files.state().app_state() == AppState::kSubmitted;
  if (gpus_.acquire(files)) {
    // The message of a running app, which a successor finds, may be about something else.
    if (gpus_needed(files.plan()) != 0 && is_first_start) files.set_message("");
    return true;
  }
  std::string shortage = gpus_.shortage();
  if (shortage != gpu_shortage_) {
    files.set_message(shortage);
    const std::uint64_t sequence = files.changed();
    if (gpu_shortage_.empty()) files.events().add(sequence, "app WAITING for GPUs: " + shortage);
    gpu_shortage_ = std::move(shortage);
  }
  parts_.pause.begin();
  return false;
}

/// Makes the app RUNNING, or stops it if a program is missing.
void Starter::begin_app() {
  has_begun_ = true;
  AppFiles& files = parts_.files;
  // A successor's app runs already: the start of each replica finds what is missing.
  if (files.state().app_state() == AppState::kRunning) return;
  if (const auto failure = launcher_.check_all()) return fail_app(*failure);
  StateHeader& header = files.edit_header();
  require_transition(files.state().app_state(), AppState::kRunning);
  header.started_ns.store(realtime_ns());
  header.started_boot_ns.store(boottime_ns());
  header.app_state.store(static_cast<std::uint32_t>(AppState::kRunning), std::memory_order_release);
  journal_running();
}

void Starter::journal_running() {
  AppFiles& files = parts_.files;
  files.events().add(files.changed(), "app RUNNING", files.state().header().started_ns.load());
}

/// Waits for the starts that are under way. Records all that succeeded before it handles failures,
/// because a failure stops every running replica.
void Starter::finish_starts() {
  std::vector<std::pair<Launcher::Outcome, StartFailure>> failures;
  while (launcher_.under_way() != 0) {
    const Launcher::Finished start = launcher_.finish_next();
    if (start.outcome != Launcher::Outcome::kStarted) {
      failures.emplace_back(start.outcome, launcher_.failure());
      continue;
    }
    parts_.pause.start_succeeded();
    parts_.replicas.record_start(start.index, start.pid, start.has_marked_logs);
    parts_.limits.watch(start.index);
    parts_.readiness.watch(start.index);
  }
  for (const auto& [outcome, failure] : failures) {
    parts_.queue.add(failure.index);
    start_failed(outcome, failure);
  }
}

void Starter::start_failed(Launcher::Outcome outcome, const StartFailure& failure) {
  // The first failure stops the app, and with it the replicas whose starts failed later.
  if (parts_.replicas.state(failure.index) != RecordState::kPending) return;
  if (outcome == Launcher::Outcome::kTryLater) return parts_.pause.begin(failure.message);
  fail_app(failure);
}

void Starter::fail_app(const StartFailure& failure) {
  parts_.pause.clear_message();
  parts_.files.set_message(failure.message);
  parts_.replicas.record_start_failure(failure.index, failure.error);
  parts_.app_stopper.stop(StopCause::kSpawnFailed, "");
  // stop() ignores an app whose last replica has ended, but this app has failed.
  if (parts_.replicas.unfinished() == 0) {
    parts_.files.edit_header().stop_cause.store(
        static_cast<std::uint32_t>(StopCause::kSpawnFailed));
  }
}

}  // namespace slipway::local
