#include "plugins/local/engine/state_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "plugins/local/engine/attempt_file.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/granted.hpp"
#include "plugins/local/engine/state_image.hpp"
#include "plugins/local/engine/state_layout.hpp"

namespace slipway::local {
namespace {

constexpr std::size_t kFirstRead = 4096;
constexpr std::size_t kMaxSpec = 64U << 20U;

[[noreturn]] void damaged(const AppRef& app, const std::string& problem) {
  throw Error(Code::kUnavailable, "the record of " + app.app_id + " cannot be used: " + problem,
              "remove " + app_dir_path(app) + " if it is not needed");
}

/// `state.bin` of one app, read in at most three pieces and checked.
class StateBytes {
 public:
  /// `whole`: all records too. An empty problem() means that what was asked for is there.
  StateBytes(int dir_fd, bool whole, const std::string& path = kStateName) {
    const OwnedFd fd = open_below(dir_fd, path, O_RDONLY | O_NONBLOCK);
    struct stat info {};
    if (!fd || ::fstat(fd.get(), &info) != 0) {
      problem_ = std::string("state.bin: ") + std::strerror(errno);
      return;
    }
    const auto size = static_cast<std::uint64_t>(S_ISREG(info.st_mode) ? info.st_size : 0);
    if (!read_to(fd.get(), std::min<std::uint64_t>(size, kFirstRead))) return;
    problem_ = check_state_head(bytes_, size);
    if (!problem_.empty()) return;
    std::memcpy(&fixed_, bytes_.data(), sizeof fixed_);
    const std::uint64_t strings_end = std::max(end_of(fixed_.app_name), end_of(fixed_.scheduler));
    const std::uint64_t want = whole ? size : std::max(strings_end, end_of(fixed_.log_dir));
    if (!read_to(fd.get(), want) || !whole) return;
    problem_ = check_state_head(bytes_, size);
  }

  const std::string& problem() const { return problem_; }
  const StateFixed& fixed() const { return fixed_; }
  std::string text(StringRef ref) const { return bytes_.substr(ref.offset, ref.length); }

  template <typename T>
  T at(std::size_t offset) const {
    T value{};
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  const char* record(std::uint32_t index) const {
    return bytes_.data() + fixed_.records_offset + std::size_t{index} * sizeof(ReplicaRecord);
  }

 private:
  static std::uint64_t end_of(StringRef ref) { return std::uint64_t{ref.offset} + ref.length; }

  /// Ascending, as the order of the fields demands (state_layout.hpp).
  bool read_to(int fd, std::uint64_t end) {
    std::size_t done = bytes_.size();
    if (end <= done) return true;
    bytes_.resize(static_cast<std::size_t>(end));
    while (done < bytes_.size()) {
      const ssize_t n =
          ::pread(fd, bytes_.data() + done, bytes_.size() - done, static_cast<off_t>(done));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) {
        problem_ =
            n == 0 ? "state.bin is too short" : std::string("state.bin: ") + std::strerror(errno);
        return false;
      }
      done += static_cast<std::size_t>(n);
    }
    return true;
  }

  std::string bytes_;
  StateFixed fixed_{};
  std::string problem_;
};

State checked_state(std::uint32_t value) {
  return value <= static_cast<std::uint32_t>(State::kUnknown) ? static_cast<State>(value)
                                                              : State::kUnknown;
}

State public_state(RecordState state) {
  switch (state) {
    case RecordState::kPending:
    case RecordState::kStarting: return State::kPending;
    case RecordState::kRunning:
    case RecordState::kEnded: return State::kRunning;
    case RecordState::kSucceeded: return State::kSucceeded;
    case RecordState::kFailed: return State::kFailed;
    case RecordState::kCancelled: return State::kCancelled;
  }
  return State::kUnknown;
}

template <typename T>
T field(const char* record, std::size_t offset) {
  T value{};
  std::memcpy(&value, record + offset, sizeof value);
  return value;
}

ReplicaSnapshot read_replica(const char* record, std::int32_t id) {
  const auto word = field<std::uint64_t>(record, offsetof(ReplicaRecord, word));
  ReplicaSnapshot replica;
  replica.id = id;
  replica.state = public_state(word_state(word));
  replica.pid = word_pid(word);
  const std::uint32_t attempt = word_attempt(word);
  replica.restarts = attempt > 1 ? attempt - 1 : 0;
  const auto flags = field<std::uint32_t>(record, offsetof(ReplicaRecord, flags));
  if ((flags & kProbed) != 0)
    replica.ready = replica.state != State::kPending && (flags & kReady) != 0;
  if (replica.state == State::kPending) {
    replica.pid = 0;  // while it starts, the word holds its launcher's
    return replica;
  }
  replica.started_ns = field<std::int64_t>(record, offsetof(ReplicaRecord, started_ns));
  if (!is_terminal(replica.state)) return replica;
  replica.finished_ns = field<std::int64_t>(record, offsetof(ReplicaRecord, finished_ns));
  if (replica.pid == 0) replica.started_ns = 0;  // of an attempt before
  const auto reason = field<std::uint32_t>(record, offsetof(ReplicaRecord, reason));
  if (reason <= static_cast<std::uint32_t>(Reason::kNotReady))
    replica.reason = static_cast<Reason>(reason);
  replica.has_error_file = (flags & kHasErrorFile) != 0;
  if (replica.reason == Reason::kSpawnFailed) {
    replica.error_number = field<std::int32_t>(record, offsetof(ReplicaRecord, error_number));
  }
  if ((flags & kHasWaitStatus) != 0) {
    const auto status = field<std::int32_t>(record, offsetof(ReplicaRecord, wait_status));
    if (WIFEXITED(status)) replica.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) replica.signal = WTERMSIG(status);
  }
  return replica;
}

AppSummary summarize(const AppRef& app, const StateBytes& bytes) {
  AppSummary summary;
  summary.session = app.session;
  summary.app_id = app.app_id;
  summary.name = bytes.text(bytes.fixed().app_name);
  summary.scheduler = bytes.text(bytes.fixed().scheduler);
  summary.state = checked_state(bytes.at<std::uint32_t>(offsetof(StateHeader, app_state)));
  summary.submitted_ns = bytes.fixed().submitted_ns;
  summary.started_ns = bytes.at<std::int64_t>(offsetof(StateHeader, started_ns));
  summary.finished_ns = bytes.at<std::int64_t>(offsetof(StateHeader, finished_ns));
  return summary;
}

AttemptSnapshot read_attempt(const AttemptEntry& entry) {
  AttemptSnapshot attempt;
  attempt.state = checked_state(entry.state);
  attempt.pid = entry.pid;
  if (entry.reason <= static_cast<std::uint32_t>(Reason::kNotReady))
    attempt.reason = static_cast<Reason>(entry.reason);
  attempt.started_ns = entry.started_ns;
  attempt.finished_ns = entry.finished_ns;
  if ((entry.flags & kHasWaitStatus) != 0) {
    if (WIFEXITED(entry.wait_status)) attempt.exit_code = WEXITSTATUS(entry.wait_status);
    if (WIFSIGNALED(entry.wait_status)) attempt.signal = WTERMSIG(entry.wait_status);
  }
  return attempt;
}

/// The attempts before the one that a record tells of. The file is read after the records and may
/// know of more; a second entry of an attempt is a repetition.
void add_attempts(const StateBytes& bytes, std::vector<AttemptEntry> entries,
                  std::vector<RoleSnapshot>& roles) {
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.replica != b.replica ? a.replica < b.replica : a.attempt < b.attempt;
  });
  auto next = entries.begin();
  std::uint32_t index = 0;
  for (RoleSnapshot& role : roles) {
    for (ReplicaSnapshot& replica : role.replicas) {
      const auto word = field<std::uint64_t>(bytes.record(index), offsetof(ReplicaRecord, word));
      // Without a pid the record tells of no attempt: it waits, or was stopped while it did.
      const bool waits = word_state(word) == RecordState::kPending || word_pid(word) == 0;
      const std::uint32_t last = word_attempt(word) - (waits ? 0U : 1U);
      std::uint32_t seen = 0;
      for (; next != entries.end() && next->replica == index; ++next) {
        if (next->attempt == seen || next->attempt > last) continue;
        seen = next->attempt;
        replica.earlier.push_back(read_attempt(*next));
      }
      ++index;
    }
  }
}

std::vector<RoleSnapshot> read_roles(const StateBytes& bytes) {
  std::vector<RoleSnapshot> roles(bytes.fixed().role_count);
  for (std::uint32_t i = 0; i < bytes.fixed().role_count; ++i) {
    const auto entry = bytes.at<RoleEntry>(bytes.fixed().roles_offset + i * sizeof(RoleEntry));
    roles[i].name = bytes.text(entry.name);
    roles[i].replicas.reserve(entry.count);
    for (std::uint32_t k = 0; k < entry.count; ++k) {
      roles[i].replicas.push_back(
          read_replica(bytes.record(entry.first_record + k), static_cast<std::int32_t>(k)));
    }
  }
  return roles;
}

/// What the replicas were given of this machine.
void add_granted(int dir_fd, std::vector<RoleSnapshot>& roles) {
  Granted ports = read_granted(dir_fd, kPortsName);
  Granted gpus = read_granted(dir_fd, kGpusName);
  if (ports.empty() && gpus.empty()) return;
  std::uint32_t index = 0;
  for (RoleSnapshot& role : roles) {
    for (ReplicaSnapshot& replica : role.replicas) {
      const auto its_ports = ports.find(index);
      if (its_ports != ports.end()) replica.ports_json = std::move(its_ports->second);
      const auto its_gpus = gpus.find(index);
      if (its_gpus != gpus.end()) replica.gpus = std::move(its_gpus->second);
      ++index;
    }
  }
}

}  // namespace

std::optional<AppSnapshot> read_app(const AppRef& app) {
  const OwnedFd dir = open_app_dir(app);
  if (!dir) return std::nullopt;
  const StateBytes bytes(dir.get(), true);
  if (!bytes.problem().empty()) damaged(app, bytes.problem());
  const AppSummary summary = summarize(app, bytes);
  AppSnapshot snapshot;
  snapshot.session = summary.session;
  snapshot.app_id = summary.app_id;
  snapshot.name = summary.name;
  snapshot.scheduler = summary.scheduler;
  snapshot.state = summary.state;
  snapshot.submitted_ns = summary.submitted_ns;
  snapshot.started_ns = summary.started_ns;
  snapshot.finished_ns = summary.finished_ns;
  snapshot.log_dir = bytes.text(bytes.fixed().log_dir);
  snapshot.owned = (bytes.fixed().traits & kOwned) != 0;
  snapshot.has_combined_logs = (bytes.fixed().traits & kNotCombined) == 0;
  snapshot.sequence = bytes.at<std::uint64_t>(offsetof(StateHeader, sequence));
  snapshot.supervisor_pid = bytes.at<std::int32_t>(offsetof(StateHeader, supervisor_pid));
  snapshot.warden_pid = bytes.at<std::int32_t>(offsetof(StateHeader, warden_pid));
  snapshot.cancel_requested = bytes.at<std::uint32_t>(offsetof(StateHeader, stop_cause)) ==
                              static_cast<std::uint32_t>(StopCause::kCancel);
  const auto length = bytes.at<std::uint32_t>(offsetof(StateHeader, message_length));
  snapshot.message = bytes.text({offsetof(StateHeader, message),
                                 std::min(length, static_cast<std::uint32_t>(kMessageBytes))});
  snapshot.num_restarts = bytes.at<std::uint32_t>(offsetof(StateHeader, app_round));
  snapshot.roles = read_roles(bytes);
  add_attempts(bytes,
               read_attempts(dir.get(), bytes.at<std::uint64_t>(offsetof(StateHeader, attempts))),
               snapshot.roles);
  add_granted(dir.get(), snapshot.roles);
  return snapshot;
}

State read_state(const AppRef& app, int dir_fd) {
  const StateBytes bytes(dir_fd, false);
  if (!bytes.problem().empty()) damaged(app, bytes.problem());
  return checked_state(bytes.at<std::uint32_t>(offsetof(StateHeader, app_state)));
}

std::optional<AppSummary> read_summary(const AppRef& app) {
  const OwnedFd dir = open_app_dir(app);
  if (!dir) return std::nullopt;
  const StateBytes bytes(dir.get(), false);
  if (!bytes.problem().empty()) damaged(app, bytes.problem());
  return summarize(app, bytes);
}

std::optional<AppSummary> read_listed(int session_fd, const std::string& session,
                                      const std::string& app_id) {
  const StateBytes bytes(session_fd, false, app_id + '/' + kStateName);
  if (!bytes.problem().empty()) return std::nullopt;
  return summarize({"", session, app_id}, bytes);
}

std::optional<std::string> read_spec(const AppRef& app) {
  const OwnedFd dir = open_app_dir(app);
  if (!dir) return std::nullopt;
  std::string text;
  if (!read_file(dir.get(), "spec.json", kMaxSpec, text)) {
    throw system_error(Code::kUnavailable, "cannot read", app_dir_path(app) + "/spec.json", errno);
  }
  return text;
}

std::optional<std::string> app_log_dir(const AppRef& app) {
  const OwnedFd dir = open_app_dir(app);
  if (!dir) return std::nullopt;
  const StateBytes bytes(dir.get(), false);
  if (!bytes.problem().empty()) damaged(app, bytes.problem());
  return bytes.text(bytes.fixed().log_dir);
}

}  // namespace slipway::local
