// What a Supervisor starts, and what it makes of failures.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "plugins/local/engine/transitions.hpp"
#include "plugins/local/supervisor/ending/stop_messages.hpp"
#include "plugins/local/supervisor/supervisor_loop.hpp"

namespace slipway::local {
namespace {

constexpr int kSlice = 32;  // starts between two looks at the events
constexpr std::int64_t kLongestBackOffMs = 1000;

}  // namespace

/// False: some are in use, and the supervisor tries again soon. The kernel has no event for a lease
/// that ends.
bool Supervisor::lease_gpus() {
  const bool waits_for_first_start = files_.state().app_state() == State::kSubmitted;
  const std::int64_t needed = gpus_needed(files_.plan());
  if (start_.gpus->acquire(files_.dir_fd())) {
    if (needed != 0 && waits_for_first_start) files_.set_message("");
    return true;
  }
  std::string shortage = start_.gpus->shortage();
  if (shortage != gpu_shortage_) {
    files_.set_message(shortage);
    const std::uint64_t sequence = files_.changed();
    if (gpu_shortage_.empty()) files_.events().add(sequence, "app WAITING for GPUs");
    gpu_shortage_ = std::move(shortage);
  }
  pause_launching();
  return false;
}

void Supervisor::begin_launching() {
  launching_ = true;
  // What is missing when the app runs already shows when it is needed.
  if (files_.state().app_state() == State::kRunning) return;
  if (const auto failure = launcher_.check_all()) {
    start_failed(*failure);
    return;
  }
  StateHeader& header = files_.edit_header();
  require_transition(files_.state().app_state(), State::kRunning);
  header.started_ns.store(realtime_ns());
  header.started_boot_ns.store(boottime_ns());
  header.app_state.store(static_cast<std::uint32_t>(State::kRunning), std::memory_order_release);
  tell_running();
}

void Supervisor::tell_running() {
  files_.events().add(files_.changed(), "app RUNNING", files_.state().header().started_ns.load());
}

void Supervisor::start_failed(const StartFailure& failure) {
  forget_shortage();
  files_.set_message(failure.message);
  replicas_.spawn_failed(failure.index, failure.error);
  stop(StopCause::kSpawnFailed, -1, false, "");
  // stop() has nothing to do for the last one; the app has failed all the same.
  if (replicas_.open() == 0)
    files_.edit_header().stop_cause.store(static_cast<std::uint32_t>(StopCause::kSpawnFailed));
}

void Supervisor::pause_launching() {
  back_off_until_ = boottime_ns() + longest_pause_ * 1'000'000;
  longest_pause_ = std::min(longest_pause_ * 2, kLongestBackOffMs);
}

void Supervisor::back_off(const std::string& why) {
  pause_launching();
  // Only what lasts is worth a word.
  if (longest_pause_ < kLongestBackOffMs || shortage_told_) return;
  shortage_told_ = true;
  files_.set_message("waiting: " + why);
  files_.events().add(files_.changed(), "app WAITING " + why);
}

void Supervisor::forget_shortage() {
  if (!shortage_told_) return;
  shortage_told_ = false;
  files_.set_message("");
  files_.changed();
}

bool Supervisor::may_launch() {
  return back_off_until_ == kNever && files_.state().stop_cause() == StopCause::kNone &&
         !restarts_.sweeping();
}

/// Waits for the starts that are under way. All that run are known before a failure has
/// consequences for them.
void Supervisor::finish_starts() {
  std::vector<std::pair<Launcher::Outcome, StartFailure>> failures;
  while (launcher_.under_way() != 0) {
    const Launcher::Finished start = launcher_.finish_next();
    if (start.outcome != Launcher::Outcome::kStarted) {
      failures.emplace_back(start.outcome, launcher_.failure());
      continue;
    }
    longest_pause_ = kFirstBackOffMs;
    forget_shortage();
    replicas_.runs(start.index, start.pid, false);
    limits_.watch(start.index);
    readiness_.watch(start.index);
  }
  for (const auto& [outcome, failure] : failures) {
    queue_.wait(failure.index);
    not_started(outcome, failure);
  }
}

void Supervisor::not_started(Launcher::Outcome outcome, const StartFailure& failure) {
  if (outcome == Launcher::Outcome::kTryLater) return back_off(failure.message);
  // The first that fails stops the app, and with it those that wait.
  if (replicas_.state(failure.index) == RecordState::kPending) start_failed(failure);
}

/// Makes room for the record of one more attempt of every replica. False: it is tried again soon.
bool Supervisor::has_room_for_attempts() {
  const std::uint64_t written = files_.state().header().attempts.load();
  if (files_.attempts().reserve(written + replicas_.count())) return true;
  back_off(std::string("no room for the record of another attempt: ") + std::strerror(errno));
  return false;
}

void Supervisor::launch_slice() {
  if (!may_launch()) return;
  if (dependencies_.any()) fail_dependents();
  std::uint32_t index = queue_.next();
  if (index != PidTable::kNone && !launching_) {
    if (!lease_gpus()) return;
    begin_launching();
    index = queue_.next();
  }
  for (int n = 0; n < kSlice && index != PidTable::kNone && may_launch(); ++n) {
    // Room for the record of how it ends, before it begins.
    if (!has_room_for_attempts()) break;
    if (launcher_.is_full()) finish_starts();
    const Launcher::Outcome outcome = launcher_.begin(index);
    if (outcome == Launcher::Outcome::kUnderWay) {
      no_children_ = false;
    } else {
      const StartFailure failure = launcher_.failure();
      finish_starts();
      not_started(outcome, failure);
    }
    index = queue_.next(launcher_.under_way());
  }
  finish_starts();
  launcher_.release_logs();
  // Who waited for a start of these may be next.
  dependencies_.update();
}

/// Ends what waits for something that cannot come any more, and then what waits for that.
void Supervisor::fail_dependents() {
  for (bool again = true; again;) {
    again = false;
    dependencies_.update();
    for (std::uint32_t role = 0; role < files_.roles().size(); ++role) {
      if (!dependencies_.never(role)) continue;
      const RoleSpan& span = files_.roles()[role];
      for (std::uint32_t i = span.first; i < span.first + span.count; ++i) {
        if (replicas_.state(i) != RecordState::kPending) continue;
        again = true;
        replicas_.dependency_failed(i);
        react_to_failure(i);
        if (files_.state().stop_cause() != StopCause::kNone) return;
      }
    }
  }
}

void Supervisor::settle_failures() {
  std::vector<std::uint32_t> undecided;
  undecided.swap(replicas_.undecided());
  bool has_room = true;
  for (const std::uint32_t index : undecided) {
    // Others' restarts may have taken it along.
    if (replicas_.state(index) != RecordState::kEnded) continue;
    const Verdict verdict =
        files_.state().stop_cause() == StopCause::kNone ? rules_.judge(index) : Verdict::kForGood;
    if (verdict != Verdict::kForGood && !(has_room = has_room && has_room_for_attempts())) {
      replicas_.undecided().push_back(index);
      continue;
    }
    switch (verdict) {
      case Verdict::kForGood: failed_for_good(index); break;
      case Verdict::kRetryReplica:
        restarts_.retry_replica(index, rules_.due_after(index, verdict));
        break;
      case Verdict::kRestartRole:
        restarts_.restart_role(files_.role_of(index), rules_.due_after(index, verdict));
        break;
      case Verdict::kRestartApp: restarts_.restart_app(rules_.due_after(index, verdict)); break;
    }
  }
  restarts_.advance();
}

void Supervisor::failed_for_good(std::uint32_t index) {
  if (static_cast<Reason>(files_.state().record(index).reason.load()) == Reason::kNotReady)
    files_.set_message(readiness_.complaint(index));
  replicas_.fail(index);
  react_to_failure(index);
}

void Supervisor::react_to_failure(std::uint32_t index) {
  const std::uint32_t role = files_.role_of(index);
  if (files_.state().stop_cause() != StopCause::kNone || !rules_.role_has_failed(role)) return;
  if (files_.roles()[role].rules.min_replicas > 0) {
    stop(StopCause::kTooFew, -1, false, too_few_message(files_, replicas_, index));
  } else if (files_.plan().rules.fail_fast) {
    stop(StopCause::kFailFast, -1, false, fail_fast_message(files_, index));
  }
}

void Supervisor::look_whether_ready(std::int64_t now_ns) {
  readiness_.on_time(now_ns);
  if (readiness_.has_commands()) no_children_ = false;
  for (std::uint32_t i = readiness_.take_overdue(now_ns); i != PidTable::kNone;
       i = readiness_.take_overdue(now_ns)) {
    if (rounds_.is_old(i)) continue;
    replicas_.unready(i);
    stopper_.stop(i);
  }
}

/// Between two rounds of the app: kills what the old one left behind.
void Supervisor::sweep() {
  if (!restarts_.sweeping() || replicas_.leaving() != 0 ||
      files_.state().stop_cause() != StopCause::kNone)
    return;
  if (!no_children_) reap();
  if (!no_children_) {
    had_strays_ = true;
    ladder_.kill_own_strays();
    return;
  }
  if (foreign_.used()) foreign_.kill_strays();
  // In the new round roles wait for others again.
  dependencies_.update();
  restarts_.swept();
}

}  // namespace slipway::local
