#include "plugins/local/engine/state_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

#include "plugins/local/engine/attempt_file.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/finished_apps.hpp"
#include "plugins/local/engine/granted.hpp"
#include "plugins/local/engine/state_image.hpp"
#include "plugins/local/engine/state_layout.hpp"
#include "slipway/abi/status.h"

namespace slipway::local {
namespace {

constexpr std::size_t kFirstRead = 4096;
constexpr std::size_t kMaxSpec = 64U << 20U;

[[noreturn]] void damaged(const AppRef& app, const std::string& problem) {
  throw Error(Code::kUnavailable, "the record of " + app.app_id + " cannot be used: " + problem,
              "remove " + app_dir_path(app) + " if it is not needed");
}

/// What is before the records in `state.bin` of one app, read in at most two pieces and checked.
class StateBytes {
 public:
  /// `roles`: the role table, too. An empty problem() means that what was asked for is there.
  StateBytes(int dir_fd, bool roles, const std::string& path = kStateName)
      : file_(open_below(dir_fd, path, O_RDONLY | O_NONBLOCK)) {
    struct stat info {};
    if (!file_ || ::fstat(file_.get(), &info) != 0) {
      problem_ = std::string("state.bin: ") + std::strerror(errno);
      return;
    }
    const auto size = static_cast<std::uint64_t>(S_ISREG(info.st_mode) ? info.st_size : 0);
    if (!read_to(std::min<std::uint64_t>(size, kFirstRead))) return;
    problem_ = check_state_head(bytes_, size);
    if (!problem_.empty()) return;
    std::memcpy(&fixed_, bytes_.data(), sizeof fixed_);
    const std::uint64_t strings_end = std::max(end_of(fixed_.app_name), end_of(fixed_.scheduler));
    const std::uint64_t names_end = std::max(strings_end, end_of(fixed_.log_dir));
    if (!read_to(roles ? fixed_.records_offset : names_end) || !roles) return;
    problem_ = check_state_head(bytes_, size);
  }

  const std::string& problem() const { return problem_; }
  const StateFixed& fixed() const { return fixed_; }
  int file() const { return file_.get(); }
  std::string text(StringRef ref) const { return bytes_.substr(ref.offset, ref.length); }

  template <typename T>
  T at(std::size_t offset) const {
    T value{};
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

 private:
  static std::uint64_t end_of(StringRef ref) { return std::uint64_t{ref.offset} + ref.length; }

  /// Ascending, as the order of the fields demands (state_layout.hpp).
  bool read_to(std::uint64_t end) {
    std::size_t done = bytes_.size();
    if (end <= done) return true;
    bytes_.resize(static_cast<std::size_t>(end));
    while (done < bytes_.size()) {
      const ssize_t n = ::pread(file_.get(), bytes_.data() + done, bytes_.size() - done,
                                static_cast<off_t>(done));
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

  OwnedFd file_;
  std::string bytes_;
  StateFixed fixed_{};
  std::string problem_;
};

/// The heads or the tails of all replicas. Read in pieces that stay in the processor's cache: for many replicas, getting
/// memory for all would take longer than reading them.
class Column {
 public:
  Column(int fd, std::uint64_t offset, std::size_t element, std::uint32_t count)
      : fd_(fd), offset_(offset), element_(element), count_(count) {}

  /// Element `index`, until the next call; indexes ascend. Null: the file ends or cannot be read.
  const char* at(std::uint32_t index) {
    if (index >= first_ + held_ && !fill(index)) return nullptr;
    return buffer_.data() + std::size_t{index - first_} * element_;
  }

 private:
  bool fill(std::uint32_t index) {
    const std::uint64_t from = offset_ + std::uint64_t{index} * element_;
    const std::size_t want = std::min(buffer_.size() / element_, std::size_t{count_ - index});
    std::size_t done = 0;
    while (done < want * element_) {
      const ssize_t n = ::pread(fd_, buffer_.data() + done, want * element_ - done,
                                static_cast<off_t>(from + done));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      done += static_cast<std::size_t>(n);
    }
    first_ = index;
    held_ = static_cast<std::uint32_t>(want);
    return true;
  }

  int fd_;
  std::uint64_t offset_;
  std::size_t element_;
  std::uint32_t count_;
  std::array<char, 32 * 1024> buffer_;
  std::uint32_t first_ = 0;
  std::uint32_t held_ = 0;
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

ReplicaSnapshot read_head(const char* head, std::int32_t id) {
  const auto word = field<std::uint64_t>(head, offsetof(ReplicaHead, word));
  ReplicaSnapshot replica;
  replica.id = id;
  replica.state = public_state(word_state(word));
  const std::uint32_t attempt = word_attempt(word);
  replica.restarts = attempt > 1 ? attempt - 1 : 0;
  const auto flags = field<std::uint32_t>(head, offsetof(ReplicaHead, flags));
  if ((flags & kProbed) != 0)
    replica.ready = replica.state != State::kPending && (flags & kReady) != 0;
  if (replica.state == State::kPending) return replica;  // the word may hold its launcher's pid
  replica.pid = word_pid(word);
  if (!is_terminal(replica.state)) return replica;
  const auto reason = field<std::uint32_t>(head, offsetof(ReplicaHead, reason));
  if (reason <= static_cast<std::uint32_t>(Reason::kNotReady))
    replica.reason = static_cast<Reason>(reason);
  replica.has_error_file = (flags & kHasErrorFile) != 0;
  if (replica.reason == Reason::kSpawnFailed) {
    replica.error_number = field<std::int32_t>(head, offsetof(ReplicaHead, error_number));
  }
  if ((flags & kHasWaitStatus) != 0) {
    const auto status = field<std::int32_t>(head, offsetof(ReplicaHead, wait_status));
    if (WIFEXITED(status)) replica.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) replica.signal = WTERMSIG(status);
  }
  return replica;
}

void add_tail(const char* tail, ReplicaSnapshot& replica) {
  if (replica.state == State::kPending) return;
  // Without a pid, what is there is of an attempt before.
  if (!is_terminal(replica.state) || replica.pid != 0)
    replica.started_ns = field<std::int64_t>(tail, offsetof(ReplicaTail, started_ns));
  if (is_terminal(replica.state))
    replica.finished_ns = field<std::int64_t>(tail, offsetof(ReplicaTail, finished_ns));
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

/// The attempts before the one that a record tells of; `words` are those of all records. The file is read after the
/// records and may know of more; a second entry of an attempt is a repetition.
void add_attempts(const std::vector<std::uint64_t>& words, std::vector<AttemptEntry> entries,
                  std::vector<RoleSnapshot>& roles) {
  if (entries.empty()) return;
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.replica != b.replica ? a.replica < b.replica : a.attempt < b.attempt;
  });
  auto next = entries.begin();
  std::uint32_t index = 0;
  for (RoleSnapshot& role : roles) {
    for (ReplicaSnapshot& replica : role.replicas) {
      const std::uint64_t word = words[index];
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

/// Whether two replicas can be told of as one: all but their pids is the same.
bool merge(const char* a, const char* b) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);  // the first field
  const auto without_pid = [](const char* head) {
    return static_cast<std::uint32_t>(field<std::uint64_t>(head, offsetof(ReplicaHead, word)));
  };
  return without_pid(a) == without_pid(b) &&
         std::memcmp(a + kWord, b + kWord, sizeof(ReplicaHead) - kWord) == 0 &&
         (field<std::uint32_t>(a, offsetof(ReplicaHead, flags)) & kHasErrorFile) == 0;
}

/// What `state.bin` says of replicas. The heads are read before the tails, as the order of their fields demands.
class ReplicaReader {
 public:
  ReplicaReader(const StateBytes& bytes, Detail detail)
      : bytes_(bytes),
        detail_(detail),
        heads_(bytes.file(), bytes.fixed().records_offset, sizeof(ReplicaHead),
               bytes.fixed().replica_count),
        tails_(bytes.file(), tails_offset(bytes.fixed()), sizeof(ReplicaTail),
               bytes.fixed().replica_count) {}

  /// False when the file ends too early.
  bool read(std::vector<RoleSnapshot>& roles) {
    roles.resize(bytes_.fixed().role_count);
    for (std::uint32_t i = 0; i < roles.size(); ++i) {
      const RoleEntry entry = role(i);
      roles[i].name = bytes_.text(entry.name);
      const bool merges = detail_ == Detail::kMerged && entry.count > SLIPWAY_MERGE_ABOVE;
      if (!(merges ? merge_heads(entry, roles[i]) : read_heads(entry, roles[i]))) return false;
    }
    for (std::uint32_t i = 0; i < roles.size(); ++i) {
      if (!add_tails(role(i), roles[i])) return false;
    }
    return true;
  }

  /// The words of all replicas that were read one by one, in their order.
  const std::vector<std::uint64_t>& words() const { return words_; }

 private:
  RoleEntry role(std::uint32_t index) const {
    return bytes_.at<RoleEntry>(bytes_.fixed().roles_offset + index * sizeof(RoleEntry));
  }

  bool read_heads(const RoleEntry& entry, RoleSnapshot& role) {
    role.replicas.reserve(entry.count);
    words_.reserve(words_.size() + entry.count);
    for (std::uint32_t id = 0; id < entry.count; ++id) {
      const char* head = heads_.at(entry.first_record + id);
      if (head == nullptr) return false;
      words_.push_back(field<std::uint64_t>(head, offsetof(ReplicaHead, word)));
      role.replicas.push_back(read_head(head, static_cast<std::int32_t>(id)));
    }
    return true;
  }

  bool merge_heads(const RoleEntry& entry, RoleSnapshot& role) {
    std::array<char, sizeof(ReplicaHead)> last;
    for (std::uint32_t id = 0; id < entry.count; ++id) {
      const char* head = heads_.at(entry.first_record + id);
      if (head == nullptr) return false;
      if (id > 0 && merge(head, last.data())) {
        ++role.replicas.back().count;
        role.replicas.back().pid = 0;
        continue;
      }
      role.replicas.push_back(read_head(head, static_cast<std::int32_t>(id)));
      std::memcpy(last.data(), head, last.size());
    }
    return true;
  }

  bool add_tails(const RoleEntry& entry, RoleSnapshot& role) {
    for (ReplicaSnapshot& replica : role.replicas) {
      if (replica.count > 1) continue;
      const char* tail = tails_.at(entry.first_record + static_cast<std::uint32_t>(replica.id));
      if (tail == nullptr) return false;
      add_tail(tail, replica);
    }
    return true;
  }

  const StateBytes& bytes_;
  Detail detail_;
  Column heads_;
  Column tails_;
  std::vector<std::uint64_t> words_;
};

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

struct CloseDir {
  void operator()(DIR* dir) const { ::closedir(dir); }
};

/// Names of the directories in `name` below `dir_fd` that can be sessions or apps.
std::vector<std::string> safe_entries(int dir_fd, const char* name) {
  std::vector<std::string> names;
  OwnedFd fd(::openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::unique_ptr<DIR, CloseDir> dir(fd ? ::fdopendir(fd.get()) : nullptr);
  if (!dir) return names;
  fd.release();
  while (const dirent* entry = ::readdir(dir.get())) {
    const bool maybe_directory = entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN;
    if (maybe_directory && is_safe_name(entry->d_name)) names.emplace_back(entry->d_name);
  }
  return names;
}

}  // namespace

std::optional<AppSnapshot> read_app(const AppRef& app, Detail detail) {
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
  ReplicaReader replicas(bytes, detail);
  if (!replicas.read(snapshot.roles)) damaged(app, "state.bin is too short");
  if (detail == Detail::kMerged) return snapshot;
  add_attempts(replicas.words(),
               read_attempts(dir.get(), bytes.at<std::uint64_t>(offsetof(StateHeader, attempts))),
               snapshot.roles);
  add_granted(dir.get(), snapshot.roles);
  return snapshot;
}

std::optional<AppSummary> read_summary(const AppRef& app) {
  const OwnedFd dir = open_app_dir(app);
  if (!dir) return std::nullopt;
  return read_summary(app, dir.get());
}

AppSummary read_summary(const AppRef& app, int dir_fd) {
  const StateBytes bytes(dir_fd, false);
  if (!bytes.problem().empty()) damaged(app, bytes.problem());
  return summarize(app, bytes);
}

std::vector<AppSummary> list_apps(const std::string& state_root, const FinishedApps* known) {
  std::vector<AppSummary> apps;
  if (::access(state_root.c_str(), R_OK | X_OK) != 0 && errno != ENOENT) {
    throw system_error(errno == EACCES ? Code::kDenied : Code::kUnavailable,
                       "cannot list the apps in", state_root, errno,
                       "set XDG_STATE_HOME to a directory of your own");
  }
  for (const auto& session : safe_entries(AT_FDCWD, state_root.c_str())) {
    const std::string session_dir = state_root + '/' + session;
    OwnedFd session_fd(::open(session_dir.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (!session_fd) continue;
    for (auto& app_id : safe_entries(session_fd.get(), ".")) {
      AppSummary finished;
      if (known != nullptr && known->find(state_root, session, app_id, finished)) {
        apps.push_back(std::move(finished));
        continue;
      }
      const StateBytes bytes(session_fd.get(), false, app_id + '/' + kStateName);
      if (bytes.problem().empty()) apps.push_back(summarize({state_root, session, app_id}, bytes));
    }
  }
  std::sort(apps.begin(), apps.end(), [](const AppSummary& a, const AppSummary& b) {
    return a.submitted_ns != b.submitted_ns ? a.submitted_ns < b.submitted_ns : a.app_id < b.app_id;
  });
  return apps;
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
