#include "plugins/local/supervisor/recovering/state_rebuild.hpp"

#include <stdio.h>
#include <unistd.h>

#include <map>
#include <string>
#include <string_view>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/journal_reader.hpp"
#include "plugins/local/engine/record_check.hpp"
#include "plugins/local/engine/state_store.hpp"
#include "plugins/local/supervisor/record/app_files.hpp"

namespace slipway::local {
namespace {

constexpr char kDamagedName[] = "state.bin.damaged";

/// Applies the events of one app to its fresh state.
class Replay {
 public:
  explicit Replay(StateStore& state) : state_(state) {
    for (std::uint32_t i = 0; i < state.count(); ++i) indexes_.emplace(state.replica_name(i), i);
  }

  /// Returns whether the events that matter are complete. `gap_at_end`: the last line is damaged.
  bool is_complete(bool gap_at_end) const {
    // The caller marks unfinished replicas as lost.
    if (!is_terminal(state_.app_state())) return !has_gap_ && !gap_at_end;
    for (std::uint32_t i = 0; i < state_.count(); ++i) {
      const ReplicaEntry entry = state_.entry(i);
      const std::uint64_t word = entry.head.word.load();
      if (!is_final(word_state(word))) return false;
      // The line about its start is missing.
      if (word_pid(word) != 0 && entry.tail.started_ns.load() == 0) return false;
    }
    return !has_gap_;
  }

  void apply(const Event& event) {
    constexpr std::string_view kReplica = "replica ";
    constexpr std::string_view kRole = "role ";
    // A successor repeats the facts that a torn last line of its predecessor may have had.
    const bool replaced = event.subject == "supervisor" && event.what == "replaced";
    if (!is_terminal(state_.app_state())) has_gap_ = (has_gap_ || event.after_gap) && !replaced;
    if (event.subject == "app") {
      apply_to_app(event);
    } else if (event.subject.substr(0, kReplica.size()) == kReplica) {
      const auto at = indexes_.find(event.subject.substr(kReplica.size()));
      if (at != indexes_.end()) apply_to_replica(state_.entry(at->second), event);
    } else if (event.subject.substr(0, kRole.size()) == kRole && event.what == "RESTARTING") {
      const auto first = indexes_.find(std::string(event.subject.substr(kRole.size())) + "/0");
      if (first != indexes_.end()) state_.tail(first->second).role_round.fetch_add(1);
    }
    state_.header().sequence.store(event.sequence);
  }

 private:
  void apply_to_app(const Event& event) {
    StateHeader& header = state_.header();
    const auto become = [&](AppState state) {
      header.app_state.store(static_cast<std::uint32_t>(state));
      (is_terminal(state) ? header.finished_ns : header.started_ns).store(event.time_ns);
    };
    const auto stop = [&](StopCause cause) {
      header.stop_cause.store(static_cast<std::uint32_t>(cause));
    };
    if (event.what == "RESTARTING") header.app_round.fetch_add(1);
    if (event.what == "CANCELLING") stop(StopCause::kCancel);
    // The journal does not name the cause. All causes but a cancellation make the app FAILED.
    if (event.what == "STOPPING") stop(StopCause::kFailFast);
    for (const AppState state :
         {AppState::kRunning, AppState::kSucceeded, AppState::kFailed, AppState::kCancelled}) {
      if (event.what == to_string(state)) become(state);
    }
  }

  static void apply_to_replica(const ReplicaEntry& entry, const Event& event) {
    const auto attempt = static_cast<std::uint32_t>(event.number("attempt", 0));
    const auto pid = static_cast<std::int32_t>(event.number("pid", 0));
    const auto become = [&](RecordState state) {
      entry.head.word.store(make_word(state, attempt, pid));
    };
    if (event.what == "RUNNING") {
      entry.tail.started_ns.store(event.time_ns);
      entry.head.flags.fetch_and(kOfReplica);
      become(RecordState::kRunning);
    } else if (event.what == "ADOPTED") {
      if (entry.tail.started_ns.load() == 0) entry.tail.started_ns.store(event.time_ns);
      become(RecordState::kRunning);
    } else if (event.what == "READY") {
      entry.head.flags.fetch_or(kProbed | kReady);
    } else if (event.what == "TIMEOUT") {
      entry.head.flags.fetch_or(kTimedOut);
    } else if (event.what == "PENDING") {
      // The next attempt has a start of its own.
      entry.tail.started_ns.store(0);
      become(RecordState::kPending);
    } else if (const RecordState state = end_in(event.what); is_final(state)) {
      read_end(entry, event);
      become(state);
    }
  }

  /// Returns the final state that the word names; kRunning for any other word.
  static RecordState end_in(std::string_view what) {
    using enum RecordState;
    for (const RecordState end : {kSucceeded, kFailed, kCancelled})
      if (what == to_string(end)) return end;
    return kRunning;
  }

  static void read_end(const ReplicaEntry& entry, const Event& event) {
    entry.tail.finished_ns.store(event.time_ns);
    entry.head.reason.store(static_cast<std::uint32_t>(reason_of(event.text("reason"))));
    entry.head.error_number.store(static_cast<std::int32_t>(event.number("errno", 0)));
    entry.tail.cpu_time_ns.store(event.number("cpu_ns", 0));
    entry.tail.max_rss_bytes.store(event.number("max_rss", 0));
    // Without kUnready, which nothing reads after the end of an attempt.
    std::uint32_t flags = entry.head.flags.load() & (kOfReplica | kReady | kTimedOut);
    if (event.number("error_file", 0) != 0) flags |= kHasErrorFile;
    if (!event.text("status").empty()) {
      entry.head.wait_status.store(static_cast<std::int32_t>(event.number("status", 0)));
      flags |= kHasWaitStatus;
    }
    entry.head.flags.store(flags);
  }

  StateStore& state_;
  bool has_gap_ = false;  // a damaged line may have had an event that matters
  std::map<std::string, std::uint32_t, std::less<>> indexes_;  // of replicas, by name
};

/// Writes the state that follows from `plan` and `journal` into the draft. Returns false if the
/// events are not enough.
bool write_draft(int dir_fd, const LaunchPlan& plan, const std::string& journal) {
  bool gap_at_end = false;
  const std::vector<Event> events = read_events(journal, gap_at_end);
  if (events.empty() || events.front().what != "SUBMITTED" || events.front().after_gap)
    return false;

  create_state(dir_fd, plan, events.front().time_ns, kStateDraftName);
  StateStore state(dir_fd, kStateDraftName);
  Replay replay(state);
  for (const Event& event : events) replay.apply(event);
  state.header().acknowledged.store(kAcknowledged);
  state.header().attempts.store(count_ended_attempts(journal));
  state.set_message("state.bin was damaged and has been rebuilt from events.log");
  for (std::uint32_t i = 0; i < state.count(); ++i) seal(state.entry(i));
  seal(state.header());
  return replay.is_complete(gap_at_end);
}

}  // namespace

bool rebuild_state(int dir_fd) {
  std::string journal;
  if (!read_file(dir_fd, kEventsName, kMostJournalBytes, journal)) return false;
  ::unlinkat(dir_fd, kStateDraftName, 0);
  bool complete = false;
  try {
    complete = write_draft(dir_fd, load_plan(dir_fd), journal);
  } catch (const Error&) {
    // The plan is damaged, or the disk is full: `complete` is false.
  }
  if (!complete) {
    ::unlinkat(dir_fd, kStateDraftName, 0);
    return false;
  }
  ::renameat(dir_fd, kStateName, dir_fd, kDamagedName);
  return ::renameat(dir_fd, kStateDraftName, dir_fd, kStateName) == 0;
}

}  // namespace slipway::local
