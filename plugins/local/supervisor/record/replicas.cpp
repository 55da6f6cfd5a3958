#include "plugins/local/supervisor/record/replicas.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/engine/transitions.hpp"
#include "plugins/local/logs/truncation_mark.hpp"
#include "plugins/local/supervisor/spawning/replica_recipe.hpp"
#include "plugins/local/supervisor/timing/end_time.hpp"

namespace slipway::local {
namespace {

/// Flags that stay in the entry when an attempt has ended.
constexpr std::uint32_t kLasting = kTimedOut | kOfReplica | kReady | kUnready;

/// Returns the state in which an attempt ended, as the journal names it.
AppState public_end(RecordState state) {
  if (state == RecordState::kSucceeded) return AppState::kSucceeded;
  return state == RecordState::kCancelled ? AppState::kCancelled : AppState::kFailed;
}

}  // namespace

static_assert(sizeof(CombinedCursor) == 16 && offsetof(CombinedCursor, err_offset) == 8,
              "ReplicaTail::combined_out and combined_err are a CombinedCursor");

Replicas::Replicas(AppFiles& files, Rounds& rounds, ReplicaCgroups& cgroups)
    : files_(files),
      journal_(files),
      rounds_(rounds),
      cgroups_(cgroups),
      count_(files.state().count()),
      roles_(files.roles().size()),
      pids_(count_) {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (!is_final(state(i))) count_unfinished(i, 1);
    if (state(i) == RecordState::kFailed) ++roles_[files.role_of(i)].failed;
    if (state(i) == RecordState::kEnded) undecided_.push_back(i);
  }
  if (files.log_dir_fd() >= 0 && files.plan().logs.combined)
    merger_ = std::make_unique<CombinedMerger>(files.log_dir_fd(), files.plan().logs, count_);
}

std::uint32_t Replicas::old_running() const {
  std::uint32_t all = 0;
  for (const RoleCounts& role : roles_) all += role.old_running;
  return all;
}

RecordState Replicas::state(std::uint32_t index) const {
  return word_state(files_.state().head(index).word.load(std::memory_order_acquire));
}

std::int32_t Replicas::pid(std::uint32_t index) const {
  return word_pid(files_.state().head(index).word.load(std::memory_order_acquire));
}

std::uint32_t Replicas::attempt(std::uint32_t index) const {
  return word_attempt(files_.state().head(index).word.load(std::memory_order_acquire));
}

void Replicas::merge_logs(std::uint32_t index, CombinedMerger::Marks marks) {
  if (!merger_) return;
  const auto [group, replica] = files_.locate(index);
  auto* cursor = reinterpret_cast<CombinedCursor*>(&files_.in_file(index).tail.combined_out);
  merger_->add(index, group->role + '/' + std::to_string(replica), cursor, marks);
}

void Replicas::set_state(std::uint32_t index, RecordState state, std::int32_t pid) {
  std::atomic<std::uint64_t>& word = files_.edit(index).head.word;
  const std::uint64_t old_word = word.load();
  require_transition(word_state(old_word), state);
  word.store(make_word(state, word_attempt(old_word), pid), std::memory_order_release);
}

void Replicas::record_start(std::uint32_t index, std::int32_t pid, bool has_marked_logs) {
  using Marks = CombinedMerger::Marks;
  add_running(index, pid, has_marked_logs ? Marks::kSet : Marks::kNone);
  journal_.write(index, "RUNNING");
}

CombinedMerger::Marks Replicas::marks_of_predecessor() const {
  using Marks = CombinedMerger::Marks;
  return count_ <= kMostMarkedReplicas ? Marks::kUnknown : Marks::kNone;
}

void Replicas::record_take_over(std::uint32_t index, std::int32_t pid) {
  add_running(index, pid, marks_of_predecessor());
  journal_.write(index, "ADOPTED");
}

void Replicas::add_running(std::uint32_t index, std::int32_t pid, CombinedMerger::Marks marks) {
  if (state(index) == RecordState::kStarting) {
    files_.edit(index).tail.window_to_ns.store(boottime_ns());
    set_state(index, RecordState::kRunning, pid);
  }
  pids_.insert(pid, index);
  ++running_;
  if (is_service(index)) ++running_services_;
  merge_logs(index, marks);
}

/// Finds the error file of a replica. Sets `file` to its place: relative to the log directory if it
/// is below that, else the whole path. Returns whether the file exists. `none_in_logs`: the caller
/// knows that the replica's log directory has no error file.
bool Replicas::has_error_file(std::uint32_t index, ErrorFile& file, bool none_in_logs) const {
  std::string& path = file.path;
  const auto [group, replica] = files_.locate(index);
  if (!replica_variable(files_.plan(), *group, replica, "TORCHELASTIC_ERROR_FILE", path) ||
      path.empty())
    return false;
  if (path.front() != '/') path = group->cwd + '/' + path;
  // Most error files are in the log directory. Looking them up below its descriptor saves a tenth
  // of the time of a cancel with ten thousand replicas.
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

void Replicas::write_facts(std::uint32_t index, Reason reason, std::uint32_t flags) {
  const ReplicaEntry entry = files_.edit(index);
  entry.head.flags.store(flags | (entry.head.flags.load() & kLasting));
  entry.head.reason.store(static_cast<std::uint32_t>(reason));
  entry.tail.finished_ns.store(
      end_time(entry.tail.started_ns.load(), entry.tail.window_to_ns.load()));
}

void Replicas::write_use(std::uint32_t index, const ResourceUse& use) {
  ReplicaTail& tail = files_.edit(index).tail;
  tail.cpu_time_ns.store(use.cpu_time_ns);
  tail.max_rss_bytes.store(use.max_rss_bytes);
}

/// Adds `change`, 1 or -1, to the counts of replicas that have not ended.
void Replicas::count_unfinished(std::uint32_t index, std::int32_t change) {
  unfinished_ += static_cast<std::uint32_t>(change);
  if (!is_service(index)) unfinished_work_ += static_cast<std::uint32_t>(change);
}

/// Gives a replica whose facts are recorded its final state.
void Replicas::finish(std::uint32_t index, RecordState state) {
  set_state(index, state, pid(index));
  count_unfinished(index, -1);
  if (state == RecordState::kFailed) ++roles_[files_.role_of(index)].failed;
  journal_.write_end(index);
}

void Replicas::repeat_end_lines() {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (is_final(state(i))) journal_.write_end(i);
  }
}

/// Takes the ended process of a replica out of the tables of running ones.
void Replicas::forget_running(std::uint32_t index) {
  if (is_running(index)) {
    pids_.erase(pid(index));
    --running_;
    if (is_service(index)) --running_services_;
  }
  if (!old_running_.empty() && old_running_[index]) {
    old_running_[index] = false;
    --roles_[files_.role_of(index)].old_running;
  }
}

/// Records the facts of an end, and the state that follows from them. `flags` are
/// ReplicaHead::flags of the end.
void Replicas::decide_end(std::uint32_t index, Reason reason, bool succeeded, std::uint32_t flags) {
  const bool by_signal = reason == Reason::kSignal || reason == Reason::kOom;
  const bool quiet = merger_ && merger_->finish(index, by_signal);
  const StopCause stop = files_.state().stop_cause();
  // `quiet`: the merger's watch saw no error file. While the app is being stopped, rely on it,
  // because stat() for ten thousand replicas takes too long. Otherwise look at the disk.
  flags |= error_file_flag(index, quiet && stop != StopCause::kNone);
  const bool is_old = rounds_.is_old(index);
  forget_running(index);
  const std::uint32_t known = files_.state().head(index).flags.load();
  const bool too_long = (known & kTimedOut) != 0 || stop == StopCause::kAppTimeout;
  const bool unready = (known & kUnready) != 0;
  if (stop != StopCause::kNone && !too_long && !unready) {
    write_facts(index, Reason::kCancelled, flags);
    return finish(index, RecordState::kCancelled);
  }
  if (stop == StopCause::kNone && work_is_done()) {
    // Only services are left. They may end in any way now.
    write_facts(index, Reason::kWorkDone, flags);
    return finish(index, RecordState::kCancelled);
  }
  if (is_old && stop == StopCause::kNone) {
    write_facts(index, Reason::kRestarted, flags);
    return await_next_attempt(index, AppState::kCancelled);
  }
  write_facts(index, too_long ? Reason::kTimeout : unready ? Reason::kNotReady : reason, flags);
  if (stop != StopCause::kNone) return finish(index, RecordState::kFailed);
  if (succeeded && !too_long && !unready) return finish(index, RecordState::kSucceeded);
  set_state(index, RecordState::kEnded, pid(index));
  undecided_.push_back(index);
  files_.changed(index);
}

void Replicas::record_end(std::uint32_t index, std::int32_t status, const ResourceUse& use) {
  files_.edit(index).head.wait_status.store(status);
  write_use(index, use);
  const bool succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const Reason reason = !succeeded && cgroups_.ran_out_of_memory(index) ? Reason::kOom
                        : WIFEXITED(status)                             ? Reason::kExit
                                                                        : Reason::kSignal;
  cgroups_.remove(index);
  decide_end(index, reason, succeeded, kHasWaitStatus);
}

void Replicas::record_lost(std::uint32_t index) {
  const bool succeeded = false;
  // As in record_end(): the next attempt must not meet what this one left behind.
  cgroups_.remove(index);
  // No process has followed its logs since the predecessor died.
  if (!is_running(index)) merge_logs(index, marks_of_predecessor());
  decide_end(index, Reason::kLost, succeeded, 0);
}

void Replicas::record_running_as_lost() {
  for (std::uint32_t i = 0; running_ != 0 && i < count_; ++i) {
    if (is_running(i)) record_lost(i);
  }
}

void Replicas::record_timeout(std::uint32_t index) {
  files_.edit(index).head.flags.fetch_or(kTimedOut);
  journal_.write(index, "TIMEOUT");
}

void Replicas::record_ready(std::uint32_t index) {
  files_.edit(index).head.flags.fetch_or(kReady);
  journal_.write(index, "READY");
}

void Replicas::record_not_ready(std::uint32_t index) {
  files_.edit(index).head.flags.fetch_or(kUnready);
  journal_.write(index, "NOT_READY");
}

/// Returns the bytes that a replica has written to each stream in all its attempts. None of its
/// processes may run.
LogEnds Replicas::log_ends(std::uint32_t index) {
  const ReplicaTail& tail = files_.in_file(index).tail;
  if (merger_ || files_.log_dir_fd() < 0) return {tail.combined_out, tail.combined_err};
  const auto [group, replica] = files_.locate(index);
  const std::string directory = group->role + '/' + std::to_string(replica) + '/';
  const auto size = [&](std::string_view name) {
    struct stat info {};
    const std::string path = directory + std::string(name);
    const bool exists =
        ::fstatat(files_.log_dir_fd(), path.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
    return exists ? static_cast<std::uint64_t>(info.st_size) : 0;
  };
  return {size(kStdoutName), size(kStderrName)};
}

/// Records in the journal that an attempt ended in `state` and that another one follows.
void Replicas::keep_attempt(std::uint32_t index, AppState state) {
  // The line must be in the file before the state file counts it.
  if (journal_.write_attempt(index, state, log_ends(index))) {
    files_.edit_header().attempts.fetch_add(1);
    files_.save_header();
  } else {
    files_.set_message("attempt " + std::to_string(attempt(index)) + " of " +
                       files_.state().replica_name(index) +
                       " is missing in the record: " + std::strerror(errno));
  }
  write_use(index, {});
  // The next attempt must not seem to have the error file of this one.
  ErrorFile file;
  if ((files_.state().head(index).flags.load() & kHasErrorFile) != 0 &&
      has_error_file(index, file)) {
    const std::string kept = file.path + '.' + std::to_string(attempt(index));
    ::renameat(file.dir_fd, file.path.c_str(), file.dir_fd, kept.c_str());
  }
}

/// Makes a replica PENDING in the present round.
void Replicas::await_next_attempt(std::uint32_t index, AppState end_of_attempt) {
  keep_attempt(index, end_of_attempt);
  rounds_.move_on(index);
  set_state(index, RecordState::kPending, 0);
  journal_.write(index, "PENDING");
}

void Replicas::record_failure(std::uint32_t index) { finish(index, RecordState::kFailed); }

void Replicas::record_retry(std::uint32_t index, std::int64_t due_ns) {
  keep_attempt(index, AppState::kFailed);
  files_.edit(index).tail.due_ns.store(due_ns);
  set_state(index, RecordState::kPending, 0);
  journal_.write(index, "PENDING");
}

bool Replicas::enter_round(std::uint32_t index) {
  const RecordState now = state(index);
  if (now == RecordState::kRunning) {
    old_running_.resize(count_);
    if (old_running_[index]) return false;
    old_running_[index] = true;
    ++roles_[files_.role_of(index)].old_running;
    return true;
  }
  if (now == RecordState::kPending) {
    rounds_.move_on(index);
    files_.changed(index);
  } else {
    if (is_final(now)) count_unfinished(index, 1);
    if (now == RecordState::kFailed) --roles_[files_.role_of(index)].failed;
    await_next_attempt(index, public_end(now));
  }
  return false;
}

void Replicas::record_start_failure(std::uint32_t index, std::int32_t error) {
  forget_attempt(index);
  files_.edit(index).head.error_number.store(error);
  write_facts(index, Reason::kSpawnFailed, 0);
  finish(index, RecordState::kFailed);
}

void Replicas::record_dependency_failure(std::uint32_t index) {
  forget_attempt(index);
  write_facts(index, Reason::kDependency, 0);
  finish(index, RecordState::kFailed);
}

void Replicas::cancel_pending(Reason reason) {
  for (std::uint32_t i = 0; i < count_; ++i) cancel_if_pending(i, reason);
}

void Replicas::cancel_if_pending(std::uint32_t index, Reason reason) {
  if (state(index) != RecordState::kPending) return;
  forget_attempt(index);
  write_facts(index, reason, 0);
  finish(index, RecordState::kCancelled);
}

void Replicas::record_all_as_lost() {
  undecided_.clear();
  for (std::uint32_t i = 0; i < count_; ++i) {
    const RecordState now = state(i);
    if (is_final(now)) continue;
    // A promise has the supervisor's pid, and no child has claimed its attempt.
    if (now == RecordState::kStarting)
      files_.edit(i).head.word.store(make_word(RecordState::kPending, attempt(i) - 1, 0));
    if (now != RecordState::kEnded) {
      merge_logs(i);
      if (merger_) merger_->finish(i);
      if (state(i) == RecordState::kPending) forget_attempt(i);
      write_facts(i, Reason::kLost, error_file_flag(i));
    }
    finish(i, RecordState::kFailed);
  }
}

void Replicas::report_log_faults() {
  if (!merger_ || merger_->error() == reported_fault_) return;
  reported_fault_ = merger_->error();
  // The reason of a stop matters more. It replaces this message if it comes later.
  if (files_.state().message().empty())
    files_.set_message("the logs may not be complete: " + reported_fault_);
  files_.events().add(files_.changed(), "logs: " + reported_fault_);
}

void Replicas::complete_logs(bool had_strays) {
  if (!merger_) return;
  // Strays may have written after the merger had finished with their replica.
  for (std::uint32_t i = 0; had_strays && i < count_; ++i)
    if (attempt(i) > 0) merge_logs(i);
  merger_->finish_all();
}

}  // namespace slipway::local
