#include "plugins/local/supervisor/record/replicas.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/engine/transitions.hpp"
#include "plugins/local/supervisor/spawning/replica_recipe.hpp"
#include "plugins/local/supervisor/timing/end_time.hpp"

namespace slipway::local {
namespace {

/// Flags that outlive the end of an attempt.
constexpr std::uint32_t kLasting = kTimedOut | kProbed | kReady | kUnready;

State public_end(RecordState state) {
  if (state == RecordState::kSucceeded) return State::kSucceeded;
  return state == RecordState::kCancelled ? State::kCancelled : State::kFailed;
}

}  // namespace

static_assert(sizeof(CombinedCursor) == 16 && offsetof(CombinedCursor, err_offset) == 8,
              "ReplicaTail::combined_out and combined_err are a CombinedCursor");

Replicas::Replicas(AppFiles& files, Rounds& rounds, ReplicaCgroups& cgroups)
    : files_(files),
      rounds_(rounds),
      cgroups_(cgroups),
      count_(files.state().count()),
      roles_(files.roles().size()),
      pids_(count_) {
  for (std::uint32_t i = 0; i < count_; ++i) {
    open_ += is_final(state(i)) ? 0U : 1U;
    if (state(i) == RecordState::kFailed) ++roles_[files.role_of(i)].failed;
    if (state(i) == RecordState::kEnded) undecided_.push_back(i);
  }
  if (files.log_dir_fd() >= 0 && files.plan().logs.combined)
    merger_ = std::make_unique<CombinedMerger>(files.log_dir_fd(), files.plan().logs, count_);
}

std::uint32_t Replicas::leaving() const {
  std::uint32_t all = 0;
  for (const RoleCounts& role : roles_) all += role.leaving;
  return all;
}

RecordState Replicas::state(std::uint32_t index) const {
  return word_state(files_.state().record(index).word.load(std::memory_order_acquire));
}

std::int32_t Replicas::pid(std::uint32_t index) const {
  return word_pid(files_.state().record(index).word.load(std::memory_order_acquire));
}

std::uint32_t Replicas::attempt(std::uint32_t index) const {
  return word_attempt(files_.state().record(index).word.load(std::memory_order_acquire));
}

void Replicas::tell(std::uint32_t index, const char* what) {
  const auto [group, replica] = files_.locate(index);
  const ReplicaRecord record = files_.state().record(index);
  const RecordState now = state(index);
  std::string& line = line_;
  const auto add_number = [&line](const char* name, std::int64_t number) {
    line += name;
    append_number(line, number);
  };
  line = "replica ";
  line += group->role;
  add_number("/", replica);
  line += ' ';
  line += what;
  add_number(" pid=", pid(index));
  add_number(" attempt=", attempt(index));
  if (now == RecordState::kPending || now == RecordState::kEnded || is_final(now)) {
    line += " reason=";
    line += reason_name(static_cast<Reason>(record.reason.load()));
    if ((record.flags.load() & kHasWaitStatus) != 0)
      add_number(" status=", record.wait_status.load());
    if ((record.flags.load() & kHasErrorFile) != 0) line += " error_file=1";
    if (record.reason.load() == static_cast<std::uint32_t>(Reason::kSpawnFailed))
      add_number(" errno=", record.error_number.load());
  }
  // The journal has the times of the record.
  const bool has_started = now == RecordState::kRunning && (what == std::string_view("RUNNING") ||
                                                            what == std::string_view("ADOPTED"));
  const std::int64_t time = is_final(now) ? record.finished_ns.load()
                            : has_started ? record.started_ns.load()
                                          : realtime_ns();
  files_.events().add(files_.changed(index), line, time);
}

void Replicas::merge(std::uint32_t index) {
  if (!merger_) return;
  const auto [group, replica] = files_.locate(index);
  auto* cursor = reinterpret_cast<CombinedCursor*>(&files_.state().tail(index).combined_out);
  merger_->add(index, group->role + '/' + std::to_string(replica), cursor);
}

void Replicas::set_state(std::uint32_t index, RecordState state, std::int32_t pid) {
  std::atomic<std::uint64_t>& word = files_.edit(index).word;
  const std::uint64_t before = word.load();
  require_transition(word_state(before), state);
  word.store(make_word(state, word_attempt(before), pid), std::memory_order_release);
}

void Replicas::runs(std::uint32_t index, std::int32_t pid, bool adopted) {
  // The child has written its claim itself, unless the file was taken from under it.
  if (state(index) == RecordState::kStarting) {
    files_.edit(index).window_to_ns.store(boottime_ns());
    set_state(index, RecordState::kRunning, pid);
  }
  pids_.insert(pid, index);
  ++running_;
  merge(index);
  tell(index, adopted ? "ADOPTED" : "RUNNING");
}

/// `none_in_logs`: it is not in the replica's log directory, as somebody knows already.
bool Replicas::has_error_file(std::uint32_t index, ErrorFile& file, bool none_in_logs) const {
  std::string& path = file.path;
  const auto [group, replica] = files_.locate(index);
  if (!replica_variable(files_.plan(), *group, replica, "TORCHELASTIC_ERROR_FILE", path) ||
      path.empty())
    return false;
  if (path.front() != '/') path = group->cwd + '/' + path;
  // Most lie in the log directory, and walking there ten thousand times is a tenth of what
  // cancelling takes.
  const std::string logs = files_.plan().log_dir + '/';
  const bool below = files_.log_dir_fd() >= 0 && path.compare(0, logs.size(), logs) == 0 &&
                     path.size() > logs.size() && path[logs.size()] != '/';
  if (none_in_logs && below) {
    const std::string usual = group->role + '/' + std::to_string(replica) + '/';
    if (path.compare(logs.size(), std::string::npos, usual + std::string(kErrorFileName)) == 0)
      return false;
  }
  if (below) path.erase(0, logs.size());
  file.dir_fd = below ? files_.log_dir_fd() : AT_FDCWD;
  struct stat info {};
  return ::fstatat(file.dir_fd, path.c_str(), &info, 0) == 0;
}

std::uint32_t Replicas::error_file_flag(std::uint32_t index, bool none_in_logs) const {
  ErrorFile file;
  return has_error_file(index, file, none_in_logs) ? kHasErrorFile : 0U;
}

void Replicas::record_end(std::uint32_t index, Reason reason, std::uint32_t flags) {
  const ReplicaRecord record = files_.edit(index);
  record.flags.store(flags | (record.flags.load() & kLasting));
  record.reason.store(static_cast<std::uint32_t>(reason));
  record.finished_ns.store(end_time(record.started_ns.load(), record.window_to_ns.load()));
}

/// The end for good, of which the facts are recorded.
void Replicas::conclude(std::uint32_t index, RecordState state) {
  set_state(index, state, pid(index));
  --open_;
  if (state == RecordState::kFailed) ++roles_[files_.role_of(index)].failed;
  tell_end(index);
}

void Replicas::tell_end(std::uint32_t index) {
  const RecordState end = state(index);
  tell(index, end == RecordState::kSucceeded ? "SUCCEEDED"
              : end == RecordState::kFailed  ? "FAILED"
                                             : "CANCELLED");
}

void Replicas::tell_ends() {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (is_final(state(i))) tell_end(i);
  }
}

void Replicas::after_end(std::uint32_t index, Reason reason, bool succeeded, std::uint32_t flags) {
  const bool quiet = merger_ && merger_->finish(index);
  const StopCause stop = files_.state().stop_cause();
  // What the watch says is enough where ten thousand end at once; whoever failed by itself is worth
  // a look.
  flags |= error_file_flag(index, quiet && stop != StopCause::kNone);
  const bool leaves = rounds_.is_old(index);
  if (runs_now(index)) {
    pids_.erase(pid(index));
    --running_;
  }
  if (!leaving_.empty() && leaving_[index]) {
    leaving_[index] = false;
    --roles_[files_.role_of(index)].leaving;
  }
  const std::uint32_t known = files_.state().record(index).flags.load();
  const bool too_long = (known & kTimedOut) != 0 || stop == StopCause::kAppTimeout;
  const bool unready = (known & kUnready) != 0;
  if (stop != StopCause::kNone && !too_long && !unready) {
    record_end(index, Reason::kCancelled, flags);
    return conclude(index, RecordState::kCancelled);
  }
  if (leaves && stop == StopCause::kNone) {
    record_end(index, Reason::kRestarted, flags);
    return wait_again(index, State::kCancelled);
  }
  record_end(index, too_long ? Reason::kTimeout : unready ? Reason::kNotReady : reason, flags);
  if (stop != StopCause::kNone) return conclude(index, RecordState::kFailed);
  if (succeeded && !too_long && !unready) return conclude(index, RecordState::kSucceeded);
  set_state(index, RecordState::kEnded, pid(index));
  undecided_.push_back(index);
  files_.changed(index);
}

void Replicas::ended(std::uint32_t index, std::int32_t status) {
  files_.edit(index).wait_status.store(status);
  const bool succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const Reason reason = !succeeded && cgroups_.ran_out_of_memory(index) ? Reason::kOom
                        : WIFEXITED(status)                             ? Reason::kExit
                                                                        : Reason::kSignal;
  cgroups_.remove(index);
  after_end(index, reason, succeeded, kHasWaitStatus);
}

void Replicas::lost(std::uint32_t index) { after_end(index, Reason::kLost, false, 0); }

void Replicas::lose_running() {
  for (std::uint32_t i = 0; running_ != 0 && i < count_; ++i) {
    if (runs_now(i)) lost(i);
  }
}

void Replicas::timed_out(std::uint32_t index) {
  files_.edit(index).flags.fetch_or(kTimedOut);
  tell(index, "TIMEOUT");
}

void Replicas::ready(std::uint32_t index) {
  files_.edit(index).flags.fetch_or(kReady);
  tell(index, "READY");
}

void Replicas::unready(std::uint32_t index) {
  files_.edit(index).flags.fetch_or(kUnready);
  tell(index, "NOT_READY");
}

/// Writes the attempt that is about to be followed by another into the list of attempts.
void Replicas::keep_attempt(std::uint32_t index, State state) {
  const ReplicaRecord record = files_.state().record(index);
  AttemptEntry entry{};
  entry.replica = index;
  entry.attempt = attempt(index);
  entry.pid = pid(index);
  entry.wait_status = record.wait_status.load();
  entry.flags = record.flags.load();
  entry.reason = record.reason.load();
  entry.state = static_cast<std::uint32_t>(state);
  entry.started_ns = record.started_ns.load();
  entry.finished_ns = record.finished_ns.load();
  std::atomic<std::uint64_t>& attempts = files_.edit_header().attempts;
  if (files_.attempts().put(attempts.load(), entry)) {
    attempts.fetch_add(1);
  } else {
    files_.set_message("attempt " + std::to_string(entry.attempt) + " of " +
                       files_.state().replica_name(index) +
                       " is missing in the record: " + std::strerror(errno));
  }
  // What this attempt said of its failure is not what the next one says.
  ErrorFile file;
  if ((entry.flags & kHasErrorFile) != 0 && has_error_file(index, file, false)) {
    const std::string kept = file.path + '.' + std::to_string(entry.attempt);
    ::renameat(file.dir_fd, file.path.c_str(), file.dir_fd, kept.c_str());
  }
}

/// PENDING in the round that was ordered.
void Replicas::wait_again(std::uint32_t index, State how_it_ended) {
  keep_attempt(index, how_it_ended);
  rounds_.move_on(index);
  set_state(index, RecordState::kPending, 0);
  tell(index, "PENDING");
}

void Replicas::fail(std::uint32_t index) { conclude(index, RecordState::kFailed); }

void Replicas::retry(std::uint32_t index, std::int64_t due_ns) {
  keep_attempt(index, State::kFailed);
  files_.edit(index).due_ns.store(due_ns);
  set_state(index, RecordState::kPending, 0);
  tell(index, "PENDING");
}

bool Replicas::take_along(std::uint32_t index) {
  const RecordState now = state(index);
  if (now == RecordState::kRunning) {
    leaving_.resize(count_);
    if (leaving_[index]) return false;
    leaving_[index] = true;
    ++roles_[files_.role_of(index)].leaving;
    return true;
  }
  if (now == RecordState::kPending) {
    rounds_.move_on(index);
    files_.changed(index);
  } else {
    if (is_final(now)) ++open_;
    if (now == RecordState::kFailed) --roles_[files_.role_of(index)].failed;
    wait_again(index, public_end(now));
  }
  return false;
}

void Replicas::spawn_failed(std::uint32_t index, std::int32_t error) {
  files_.edit(index).error_number.store(error);
  record_end(index, Reason::kSpawnFailed, 0);
  conclude(index, RecordState::kFailed);
}

void Replicas::dependency_failed(std::uint32_t index) {
  files_.edit(index).flags.fetch_and(kProbed);
  record_end(index, Reason::kDependency, 0);
  conclude(index, RecordState::kFailed);
}

void Replicas::cancel_pending() {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (state(i) != RecordState::kPending) continue;
    files_.edit(i).flags.fetch_and(kProbed);
    record_end(i, Reason::kCancelled, 0);
    conclude(i, RecordState::kCancelled);
  }
}

void Replicas::all_lost() {
  undecided_.clear();
  for (std::uint32_t i = 0; i < count_; ++i) {
    const RecordState now = state(i);
    if (is_final(now)) continue;
    if (now != RecordState::kEnded) {
      merge(i);
      if (merger_) merger_->finish(i);
      record_end(i, Reason::kLost, error_file_flag(i, false));
    }
    conclude(i, RecordState::kFailed);
  }
}

void Replicas::report_log_faults() {
  if (!merger_ || merger_->error() == reported_fault_) return;
  reported_fault_ = merger_->error();
  // The reason of a stop matters more. It replaces this message if it comes later.
  const bool has_message = files_.state().header().message_length.load() != 0;
  if (!has_message) files_.set_message("the logs are not complete: " + reported_fault_);
  files_.events().add(files_.changed(), "logs: " + reported_fault_);
}

void Replicas::complete_logs(bool had_strays) {
  if (!merger_) return;
  for (std::uint32_t i = 0; had_strays && i < count_; ++i) {
    if (attempt(i) > 0) merge(i);
  }
  merger_->finish_all();
}

}  // namespace slipway::local
