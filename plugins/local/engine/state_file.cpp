#include "plugins/local/engine/state_file.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "plugins/local/engine/attempt_file.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "plugins/local/engine/granted.hpp"
#include "plugins/local/engine/other_version.hpp"
#include "plugins/local/engine/replica_reader.hpp"
#include "plugins/local/engine/state_bytes.hpp"
#include "plugins/local/engine/state_layout.hpp"

namespace slipway::local {
namespace {

constexpr std::size_t kMaxSpec = 64U << 20U;

[[noreturn]] void damaged(const AppRef& app, const std::string& problem) {
  throw Error(Code::kUnavailable, "the record of " + app.app_id + " cannot be used: " + problem,
              "remove " + app_dir_path(app) + " if it is not needed");
}

State checked_state(std::uint32_t value) {
  return value <= static_cast<std::uint32_t>(State::kUnknown) ? static_cast<State>(value)
                                                              : State::kUnknown;
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
  summary.order = bytes.fixed().order;
  summary.host = bytes.text(bytes.fixed().host);
  summary.foreign = foreign_of(bytes.fixed(), summary.host);
  summary.machine_tag = machine_tag(machine_of(bytes.fixed(), summary.host));
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

/// Whether a directory is a record, perhaps a damaged one, and not something that lies there by
/// chance: it has one of the files that are in every record.
bool is_record(int session_fd, const std::string& app_id) {
  for (const char* file : {kStateName, "plan.bin", "spec.json"}) {
    if (::faccessat(session_fd, (app_id + '/' + file).c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0)
      return true;
  }
  return false;
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
  snapshot.host = summary.host;
  snapshot.foreign = summary.foreign;
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

std::optional<AppSummary> read_listed(int session_fd, const std::string& session,
                                      const std::string& app_id) {
  std::string problem;
  try {
    const StateBytes bytes(session_fd, false, app_id + '/' + kStateName);
    if (bytes.problem().empty()) return summarize({"", session, app_id}, bytes);
    problem = bytes.problem();
  } catch (const OtherVersion& error) {
    problem = error.message();
  }
  if (!is_record(session_fd, app_id)) return std::nullopt;
  AppSummary summary;
  summary.session = session;
  summary.app_id = app_id;
  summary.problem = problem;
  return summary;
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
