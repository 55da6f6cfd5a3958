#include "plugins/local/engine/replica_reader.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "plugins/local/engine/state_layout.hpp"
#include "slipway/abi/status.h"

namespace slipway::local {
namespace {

/// Returns the state that users see.
AppState public_state(RecordState state) {
  switch (state) {
    case RecordState::kPending:
    case RecordState::kStarting: return AppState::kPending;
    case RecordState::kRunning:
    // Until the supervisor has decided whether a retry follows.
    case RecordState::kEnded: return AppState::kRunning;
    case RecordState::kSucceeded: return AppState::kSucceeded;
    case RecordState::kFailed: return AppState::kFailed;
    case RecordState::kCancelled: return AppState::kCancelled;
  }
  return AppState::kUnknown;
}

/// Returns the values in the bytes of a ReplicaHead.
ReplicaSnapshot read_head(const char* head, std::int32_t id) {
  const std::uint64_t word = word_of(head);
  ReplicaSnapshot replica;
  replica.id = id;
  replica.state = public_state(word_state(word));
  const std::uint32_t attempt = word_attempt(word);
  replica.restarts = attempt > 1 ? attempt - 1 : 0;
  const auto flags = value_at<std::uint32_t>(head, offsetof(ReplicaHead, flags));
  replica.service = (flags & kService) != 0;
  if ((flags & kProbed) != 0)
    replica.ready = replica.state != AppState::kPending && (flags & kReady) != 0;
  if (replica.state == AppState::kPending) return replica;  // the pid may be the supervisor's
  replica.pid = word_pid(word);
  if (!is_terminal(replica.state)) return replica;
  const auto reason = value_at<std::uint32_t>(head, offsetof(ReplicaHead, reason));
  if (reason <= static_cast<std::uint32_t>(Reason::kWorkDone))
    replica.reason = static_cast<Reason>(reason);
  replica.exceeded_own_timeout = (flags & kTimedOut) != 0;
  replica.has_error_file = (flags & kHasErrorFile) != 0;
  if (replica.reason == Reason::kSpawnFailed) {
    replica.error_number = value_at<std::int32_t>(head, offsetof(ReplicaHead, error_number));
  }
  if ((flags & kHasWaitStatus) != 0) {
    const auto status = value_at<std::int32_t>(head, offsetof(ReplicaHead, wait_status));
    if (WIFEXITED(status)) replica.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) replica.signal = WTERMSIG(status);
  }
  return replica;
}

/// Adds the values in the bytes of a ReplicaTail.
void add_tail(const char* tail, ReplicaSnapshot& replica) {
  // Without a pid, the start in the entry is that of an earlier attempt.
  if (!is_terminal(replica.state) || replica.pid != 0)
    replica.started_ns = value_at<std::int64_t>(tail, offsetof(ReplicaTail, started_ns));
  if (!is_terminal(replica.state)) return;
  replica.finished_ns = value_at<std::int64_t>(tail, offsetof(ReplicaTail, finished_ns));
  replica.use = {value_at<std::int64_t>(tail, offsetof(ReplicaTail, cpu_time_ns)),
                 value_at<std::int64_t>(tail, offsetof(ReplicaTail, max_rss_bytes))};
}

/// Returns whether Detail::kMerged describes two replicas together: their heads differ only in the
/// pid, and no error file distinguishes them.
bool can_merge(const char* a, const char* b) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);  // the first field
  constexpr std::uint64_t kBelowPid = (std::uint64_t{1} << word_bits::kPidAt) - 1;
  const auto without_pid = [](const char* head) { return word_of(head) & kBelowPid; };
  return without_pid(a) == without_pid(b) &&
         std::memcmp(a + kWord, b + kWord, sizeof(ReplicaHead) - kWord) == 0 &&
         (value_at<std::uint32_t>(a, offsetof(ReplicaHead, flags)) & kHasErrorFile) == 0;
}

}  // namespace

bool Column::fill(std::uint32_t index) {
  if (!buffer_) {
    const std::size_t all = std::size_t{count_} * element_bytes_;
    buffer_ = std::make_unique_for_overwrite<char[]>(std::min(kBufferBytes, all));
  }
  const std::uint64_t from = offset_ + std::uint64_t{index} * element_bytes_;
  const std::size_t want = std::min(kBufferBytes / element_bytes_, std::size_t{count_ - index});
  std::size_t done = 0;
  while (done < want * element_bytes_) {
    const ssize_t n = ::pread(fd_, buffer_.get() + done, want * element_bytes_ - done,
                              static_cast<off_t>(from + done));
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = 0;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  first_ = index;
  held_ = static_cast<std::uint32_t>(want);
  return true;
}

ReplicaReader::ReplicaReader(const HeaderReader& bytes, Detail detail)
    : bytes_(bytes),
      detail_(detail),
      heads_(bytes.file(), bytes.fixed().entries_offset, sizeof(ReplicaHead),
             bytes.fixed().replica_count),
      tails_(bytes.file(), tails_offset(bytes.fixed()), sizeof(ReplicaTail),
             bytes.fixed().replica_count) {}

std::string ReplicaReader::read(std::vector<RoleSnapshot>& roles) {
  roles.resize(bytes_.fixed().role_count);
  for (std::uint32_t i = 0; i < roles.size(); ++i) {
    const RoleEntry entry = role(i);
    roles[i].name = bytes_.text(entry.name);
    const bool merges = detail_ == Detail::kMerged && entry.count > SLIPWAY_MERGE_ABOVE;
    if (!(merges ? merge_heads(entry, roles[i]) : read_heads(entry, roles[i])))
      return problem(roles[i].name);
  }
  for (std::uint32_t i = 0; i < roles.size(); ++i) {
    if (!add_tails(role(i), roles[i])) return problem(roles[i].name);
  }
  return "";
}

std::string ReplicaReader::problem(const std::string& role) {
  if (errno == EBADMSG) return record_damage(role + '/' + std::to_string(id_));
  error_ = errno;
  return error_ == 0 ? "state.bin is too short"
                     : std::string("state.bin: ") + std::strerror(error_);
}

RoleEntry ReplicaReader::role(std::uint32_t index) const {
  return bytes_.at<RoleEntry>(bytes_.fixed().roles_offset + index * sizeof(RoleEntry));
}

bool ReplicaReader::read_heads(const RoleEntry& entry, RoleSnapshot& role) {
  role.replicas.reserve(entry.count);
  words_.reserve(words_.size() + entry.count);
  for (id_ = 0; id_ < entry.count; ++id_) {
    const char* head = heads_.whole_at(entry.first_entry + id_, is_whole_head);
    if (head == nullptr) return false;
    words_.push_back(word_of(head));
    role.replicas.push_back(read_head(head, static_cast<std::int32_t>(id_)));
  }
  return true;
}

bool ReplicaReader::merge_heads(const RoleEntry& entry, RoleSnapshot& role) {
  std::array<char, sizeof(ReplicaHead)> last;
  for (id_ = 0; id_ < entry.count; ++id_) {
    bool merges = false;
    // Apart from its word, a head that can be merged equals the one before, which was checked.
    const auto is_whole = [&](const char* head) {
      merges = id_ > 0 && can_merge(head, last.data());
      return merges ? is_whole_word(head) : is_whole_head(head);
    };
    const char* head = heads_.whole_at(entry.first_entry + id_, is_whole);
    if (head == nullptr) return false;
    if (merges) {
      ++role.replicas.back().count;
      role.replicas.back().pid = 0;
      continue;
    }
    role.replicas.push_back(read_head(head, static_cast<std::int32_t>(id_)));
    std::memcpy(last.data(), head, last.size());
  }
  return true;
}

/// Returns the boottime_ns() before which a restart of the app or the role starts no replica.
/// A failed read is no error here: add_tails() reports it if it needs a tail.
std::int64_t ReplicaReader::restart_due(const RoleEntry& entry) {
  const auto app_due_ns = bytes_.at<std::int64_t>(offsetof(StateHeader, round_due_ns));
  const char* const first = entry.count > 0 ? tails_.at(entry.first_entry) : nullptr;
  if (first == nullptr) return app_due_ns;
  return std::max(app_due_ns, value_at<std::int64_t>(first, offsetof(ReplicaTail, role_due_ns)));
}

bool ReplicaReader::add_tails(const RoleEntry& entry, RoleSnapshot& role) {
  // A role of merged replicas needs no tail, so it reads none: even one takes a whole piece.
  const bool shows_due =
      std::any_of(role.replicas.begin(), role.replicas.end(), [](const ReplicaSnapshot& replica) {
        return replica.count == 1 && replica.state == AppState::kPending;
      });
  // Before the loop, because indexes must ascend.
  const std::int64_t restart_due_ns = shows_due ? restart_due(entry) : 0;
  for (ReplicaSnapshot& replica : role.replicas) {
    if (replica.count > 1) continue;  // merged replicas show no value of the tail
    id_ = static_cast<std::uint32_t>(replica.id);
    if (replica.state == AppState::kPending) {
      // The supervisor completes the tail, and its checksum, when the replica starts.
      const char* const tail = tails_.at(entry.first_entry + id_);
      if (tail == nullptr) return false;
      const auto due = value_at<std::int64_t>(tail, offsetof(ReplicaTail, due_ns));
      replica.due_ns = std::max(due, restart_due_ns);
      continue;
    }
    // A tail of zeros belongs to kFreshWord. This replica has another word, for which 0 stands.
    const auto is_whole = [](const char* bytes) { return is_whole_tail(0, bytes); };
    const char* tail = tails_.whole_at(entry.first_entry + id_, is_whole);
    if (tail == nullptr) return false;
    add_tail(tail, replica);
  }
  return true;
}

}  // namespace slipway::local
