#include "plugins/local/supervisor/replicas.hpp"

#include <sys/stat.h>
#include <sys/wait.h>

#include <cstddef>

#include "plugins/local/supervisor/replica_recipe.hpp"

namespace slipway::local {

static_assert(sizeof(CombinedCursor) == 16 && offsetof(CombinedCursor, err_offset) == 8,
              "ReplicaRecord::combined_out and combined_err are a CombinedCursor");

Replicas::Replicas(AppFiles& files) : files_(files), count_(files.state().count()), pids_(count_) {
  for (std::uint32_t i = 0; i < count_; ++i) open_ += is_final(state(i)) ? 0U : 1U;
  if (files.log_dir_fd() >= 0) merger_ = std::make_unique<CombinedMerger>(files.log_dir_fd());
}

RecordState Replicas::state(std::uint32_t index) const {
  return word_state(files_.state().record(index).word.load(std::memory_order_acquire));
}

std::int32_t Replicas::pid(std::uint32_t index) const {
  return word_pid(files_.state().record(index).word.load(std::memory_order_acquire));
}

bool Replicas::any_failed() const {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (state(i) == RecordState::kFailed) return true;
  }
  return false;
}

void Replicas::tell(std::uint32_t index, const char* what) {
  const auto [group, replica] = files_.locate(index);
  const ReplicaRecord& record = files_.state().record(index);
  std::string line = "replica " + group->role + '/' + std::to_string(replica) + ' ' + what;
  line += " pid=" + std::to_string(pid(index)) +
          " attempt=" + std::to_string(word_attempt(record.word.load()));
  if (is_final(state(index))) {
    line += " reason=";
    line += reason_name(static_cast<Reason>(record.reason.load()));
    if ((record.flags.load() & kHasWaitStatus) != 0) {
      line += " status=" + std::to_string(record.wait_status.load());
    }
  }
  files_.events().add(files_.state().touch(), line);
}

void Replicas::merge(std::uint32_t index) {
  if (!merger_) return;
  const auto [group, replica] = files_.locate(index);
  auto* cursor = reinterpret_cast<CombinedCursor*>(&files_.state().record(index).combined_out);
  merger_->add(index, group->role + '/' + std::to_string(replica), cursor);
}

void Replicas::running(std::uint32_t index, std::int32_t pid, bool adopted) {
  pids_.insert(pid, index);
  merge(index);
  tell(index, adopted ? "ADOPTED" : "RUNNING");
}

bool Replicas::has_error_file(std::uint32_t index) const {
  const auto [group, replica] = files_.locate(index);
  std::string path;
  if (!replica_variable(files_.plan(), *group, replica, "TORCHELASTIC_ERROR_FILE", path) ||
      path.empty())
    return false;
  if (path.front() != '/') path = group->cwd + '/' + path;
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0;
}

void Replicas::conclude(std::uint32_t index, RecordState state, Reason reason,
                        std::uint32_t flags) {
  ReplicaRecord& record = files_.state().record(index);
  const std::uint64_t word = record.word.load();
  record.flags.store(flags);
  record.reason.store(static_cast<std::uint32_t>(reason));
  record.finished_ns.store(realtime_ns());
  record.word.store(make_word(state, word_attempt(word), word_pid(word)),
                    std::memory_order_release);
  pids_.erase(word_pid(word));
  --open_;
  tell(index, state == RecordState::kSucceeded ? "SUCCEEDED"
              : state == RecordState::kFailed  ? "FAILED"
                                               : "CANCELLED");
}

void Replicas::ended(std::uint32_t index, std::int32_t status) {
  if (merger_) merger_->finish(index);
  files_.state().record(index).wait_status.store(status);
  const std::uint32_t flags = kHasWaitStatus | (has_error_file(index) ? kHasErrorFile : 0U);
  if (files_.state().stop_cause() != StopCause::kNone) {
    conclude(index, RecordState::kCancelled, Reason::kCancelled, flags);
  } else if (WIFEXITED(status)) {
    conclude(index, WEXITSTATUS(status) == 0 ? RecordState::kSucceeded : RecordState::kFailed,
             Reason::kExit, flags);
  } else {
    conclude(index, RecordState::kFailed, Reason::kSignal, flags);
  }
}

void Replicas::lost(std::uint32_t index) {
  if (merger_) merger_->finish(index);
  conclude(index, RecordState::kFailed, Reason::kLost, has_error_file(index) ? kHasErrorFile : 0U);
}

void Replicas::spawn_failed(std::uint32_t index, std::int32_t error) {
  files_.state().record(index).error_number.store(error);
  conclude(index, RecordState::kFailed, Reason::kSpawnFailed, 0);
}

void Replicas::cancel_pending() {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (state(i) == RecordState::kPending)
      conclude(i, RecordState::kCancelled, Reason::kCancelled, 0);
  }
}

void Replicas::all_lost() {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (is_final(state(i))) continue;
    merge(i);
    lost(i);
  }
}

void Replicas::complete_logs(bool had_strays) {
  if (!merger_) return;
  for (std::uint32_t i = 0; had_strays && i < count_; ++i) {
    if (pid(i) > 0) merge(i);
  }
  merger_->finish_all();
}

}  // namespace slipway::local
