#include "plugins/local/engine/app_reader.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>

#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "plugins/local/engine/header_reader.hpp"
#include "plugins/local/engine/journal_reader.hpp"
#include "plugins/local/engine/plan.hpp"
#include "plugins/local/engine/replica_reader.hpp"
#include "plugins/local/engine/state_layout.hpp"
#include "sdk/support/checksum.hpp"

namespace slipway::local {
namespace {

constexpr std::size_t kMaxSpec = 64U << 20U;  // bytes of spec.json

/// Throws the error about a damaged record.
[[noreturn]] void damaged(const AppRef& app, const std::string& problem) {
  throw Error(
      Code::kInvalid, "the record of " + app.app_id + " is damaged: " + problem,
      "`slipway cancel --now` ends the processes of the app, `slipway delete` removes its record",
      app_dir_path(app));
}

/// Throws `problem`, why the state file cannot be used, unless it is empty. `error` is the errno of
/// the call that could not read the file; 0: the contents are the problem.
void require_no_problem(const AppRef& app, const std::string& problem, int error) {
  if (error != 0) {
    throw system_error(error == EACCES ? Code::kDenied : Code::kUnavailable, "cannot read",
                       app_dir_path(app) + '/' + kStateName, error);
  }
  if (!problem.empty()) damaged(app, problem);
}

void require_whole(const AppRef& app, const HeaderReader& bytes) {
  require_no_problem(app, bytes.problem(), bytes.error());
}

std::string message_of(const HeaderReader& bytes) {
  const auto length = bytes.at<std::uint32_t>(offsetof(StateHeader, message_length));
  return bytes.text({offsetof(StateHeader, message),
                     std::min(length, static_cast<std::uint32_t>(kMessageBytes))});
}

AppSummary summarize(const AppRef& app, const HeaderReader& bytes) {
  AppSummary summary;
  summary.session = app.session;
  summary.app_id = app.app_id;
  summary.name = bytes.text(bytes.fixed().app_name);
  summary.scheduler = bytes.text(bytes.fixed().scheduler);
  summary.state = app_state_from(bytes.at<std::uint32_t>(offsetof(StateHeader, app_state)))
                      .value_or(AppState::kUnknown);
  summary.submitted_ns = bytes.fixed().submitted_ns;
  summary.started_ns = bytes.at<std::int64_t>(offsetof(StateHeader, started_ns));
  summary.finished_ns = bytes.at<std::int64_t>(offsetof(StateHeader, finished_ns));
  summary.order = bytes.fixed().order;
  summary.message = message_of(bytes);
  summary.host = bytes.text(bytes.fixed().host);
  summary.foreign = foreign_of(bytes.fixed(), summary.host);
  summary.machine_tag = machine_tag(machine_of(bytes.fixed(), summary.host));
  return summary;
}

/// Adds the attempts before the one in the entry. `words` are those of all entries
/// (ReplicaHead::word). The journal, which the caller read after the entries, may have later
/// attempts; these are left out. Returns false if an attempt is missing.
bool add_attempts(const std::vector<std::uint64_t>& words, Histories& histories,
                  std::vector<RoleSnapshot>& roles) {
  std::uint32_t index = 0;
  for (RoleSnapshot& role : roles) {
    for (ReplicaSnapshot& replica : role.replicas) {
      const std::uint64_t word = words[index++];
      // Without a pid the replica waits for an attempt, or was stopped while it waited.
      const bool waits = word_state(word) == RecordState::kPending || word_pid(word) == 0;
      const std::uint32_t last = word_attempt(word) - (waits ? 0U : 1U);
      if (last == 0) continue;
      auto& attempts = histories[role.name + '/' + std::to_string(replica.id)].attempts;
      const auto number = [](const auto& attempt) { return attempt.number; };
      std::ranges::stable_sort(attempts, {}, number);
      std::uint32_t seen = 0;
      for (auto& attempt : attempts) {
        if (attempt.number == seen || attempt.number > last) continue;
        seen = attempt.number;
        replica.earlier.push_back(std::move(attempt.end));
      }
      if (replica.earlier.size() != last) return false;
    }
  }
  return true;
}

/// Returns the present number of ended attempts in the journal.
std::uint64_t attempts_now(const HeaderReader& bytes) {
  std::uint64_t count = 0;
  const ssize_t n = ::pread(bytes.file(), &count, sizeof count, offsetof(StateHeader, attempts));
  return n == static_cast<ssize_t>(sizeof count) ? count : 0;
}

/// Adds the ports of the replicas, from the lines of StateFixed::ports.
void add_ports(const HeaderReader& bytes, std::vector<RoleSnapshot>& roles) {
  const std::string text = bytes.text(bytes.fixed().ports);
  std::string_view rest = text;
  std::uint32_t index = 0;
  for (RoleSnapshot& role : roles) {
    for (ReplicaSnapshot& replica : role.replicas) {
      std::uint32_t next = 0;
      const auto [space, error] = std::from_chars(rest.data(), rest.data() + rest.size(), next);
      // A damaged text may end after a number.
      if (error != std::errc() || space == rest.data() + rest.size()) return;
      if (next != index++) continue;
      rest.remove_prefix(static_cast<std::size_t>(space - rest.data()) + 1);
      const std::size_t end = rest.find('\n');
      replica.ports_json = rest.substr(0, end);
      rest.remove_prefix(end + 1);
    }
  }
}

/// Adds the leased GPUs. Returns false if the journal has none.
bool add_gpus(const Histories& histories, std::vector<RoleSnapshot>& roles) {
  bool any = false;
  for (RoleSnapshot& role : roles) {
    for (ReplicaSnapshot& replica : role.replicas) {
      const auto found = histories.find(role.name + '/' + std::to_string(replica.id));
      if (found == histories.end()) continue;
      replica.gpus = found->second.gpus;
      any = any || !replica.gpus.empty();
    }
  }
  return any;
}

/// Adds earlier attempts and GPUs, which only the journal has.
void add_histories(const AppRef& app, int dir_fd, const HeaderReader& bytes,
                   const std::vector<std::uint64_t>& words, AppSnapshot& snapshot) {
  // An app gets its GPUs when it starts.
  const bool has_gpus = (bytes.fixed().traits & kHasGpus) != 0 && snapshot.started_ns != 0;
  Histories histories;
  if (has_gpus || attempts_now(bytes) != 0) histories = read_histories(dir_fd);
  if (!add_attempts(words, histories, snapshot.roles))
    damaged(app, "an attempt is missing in events.log");
  if (has_gpus && !add_gpus(histories, snapshot.roles))
    damaged(app, "its GPUs are missing in events.log");
}

/// Returns whether the directory is a record, perhaps a damaged one: it has one of the files that
/// every record has.
bool is_record(int session_fd, const std::string& app_id) {
  for (const char* file : {kStateName, kPlanName, kSpecName}) {
    if (::faccessat(session_fd, (app_id + '/' + file).c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0)
      return true;
  }
  return false;
}

/// Returns what `read` returns; nullopt if it fails because another command has removed the record
/// meanwhile. The files of such a record disappear one after the other.
template <class Read>
auto unless_removed(const AppRef& app, int dir_fd, const Read& read)
    -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Error&) {
    if (is_in_place(app, dir_fd)) throw;
    return std::nullopt;
  }
}

AppSnapshot read_snapshot(const AppRef& app, const AppDir& dir, Detail detail) {
  const HeaderReader bytes(dir.get(), HeaderPart::kWithRoles);
  require_whole(app, bytes);
  // Replicas with GPUs of their own are few, and people want to know which GPUs each has.
  if ((bytes.fixed().traits & kHasGpus) != 0) detail = Detail::kEach;
  AppSnapshot snapshot;
  static_cast<AppSummary&>(snapshot) = summarize(app, bytes);
  snapshot.log_dir = bytes.text(bytes.fixed().log_dir);
  snapshot.owned = (bytes.fixed().traits & kOwned) != 0;
  snapshot.has_combined_logs = (bytes.fixed().traits & kNotCombined) == 0;
  snapshot.sequence = bytes.at<std::uint64_t>(offsetof(StateHeader, sequence));
  snapshot.supervisor_pid = bytes.at<std::int32_t>(offsetof(StateHeader, supervisor_pid));
  snapshot.warden_pid = bytes.at<std::int32_t>(offsetof(StateHeader, warden_pid));
  const auto cause =
      static_cast<StopCause>(bytes.at<std::uint32_t>(offsetof(StateHeader, stop_cause)));
  snapshot.cancel_requested = cause == StopCause::kCancel;
  snapshot.exceeded_app_timeout = cause == StopCause::kAppTimeout;
  snapshot.other_owner = dir.other_owner;
  if (dir.other_owner && snapshot.foreign == Foreign::kNo && !is_terminal(snapshot.state) &&
      !lock_is_held(dir.get())) {
    snapshot.message =
        "its supervisor has died, and this command may not take it over: " + dir.distrust.why;
  }
  snapshot.num_restarts = bytes.at<std::uint32_t>(offsetof(StateHeader, app_round));
  ReplicaReader replicas(bytes, detail);
  const std::string problem = replicas.read(snapshot.roles);
  require_no_problem(app, problem, replicas.error());
  if (detail == Detail::kMerged) return snapshot;
  add_ports(bytes, snapshot.roles);
  add_histories(app, dir.get(), bytes, replicas.words(), snapshot);
  return snapshot;
}

}  // namespace

std::optional<AppSnapshot> read_app(const AppRef& app, Detail detail) {
  const AppDir dir = open_app_dir_to_read(app);
  if (!dir) return std::nullopt;
  return unless_removed(app, dir.get(), [&] { return read_snapshot(app, dir, detail); });
}

std::optional<AppSummary> read_summary(const AppRef& app) {
  const AppDir dir = open_app_dir_to_read(app);
  if (!dir) return std::nullopt;
  return unless_removed(app, dir.get(), [&] { return read_summary(app, dir.get()); });
}

AppSummary read_summary(const AppRef& app, int dir_fd) {
  const HeaderReader bytes(dir_fd, HeaderPart::kWithoutRoles);
  require_whole(app, bytes);
  return summarize(app, bytes);
}

std::optional<AppSummary> read_listed(int session_fd, const std::string& session,
                                      const std::string& app_id) {
  std::string problem;
  try {
    const HeaderReader bytes(session_fd, HeaderPart::kWithoutRoles, app_id + '/' + kStateName);
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
  if (!read_file(dir.get(), kSpecName, kMaxSpec, text)) {
    throw system_error(Code::kUnavailable, "cannot read", app_dir_path(app) + '/' + kSpecName,
                       errno);
  }
  const HeaderReader bytes(dir.get(), HeaderPart::kWithoutRoles);
  require_whole(app, bytes);
  if (crc32(text) != bytes.fixed().spec_crc)
    damaged(app, "the checksum of spec.json, its description, is wrong");
  return text;
}

}  // namespace slipway::local
