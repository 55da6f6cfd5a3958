#include "plugins/local/scheduler/app_description.hpp"

#include <cerrno>

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/scheduler/waiting.hpp"
#include "sdk/support/percent_text.hpp"
#include "sdk/support/utc_time.hpp"
#include "slipway/json_text.hpp"

namespace slipway::local {

namespace {

TimeNs time_of(std::int64_t ns) { return ns == 0 ? TimeNs() : TimeNs(ns); }

/// Returns why the state in a foreign record may be out of date; empty if it is not.
std::string doubt_about(const AppSnapshot& app) {
  if (is_terminal(app.state)) return {};
  switch (app.foreign) {
    case Foreign::kNo: break;
    case Foreign::kMachine:
      return "last recorded state: the app runs on " + app.host +
             ", which cannot be checked from here";
    case Foreign::kVersion:
      return "last recorded state: a newer version of Slipway manages the app; ask that version";
  }
  return {};
}

/// Returns the exit code of a shell that cannot start a program for this reason.
std::int32_t shell_status(std::int32_t error_number) {
  constexpr std::int32_t kNotFound = 127;
  constexpr std::int32_t kNotExecutable = 126;
  return error_number == ENOENT || error_number == ENOTDIR ? kNotFound : kNotExecutable;
}

/// Returns the fields of `status --json` that not every scheduler has, as a JSON object; empty if
/// there are none.
std::string details_of(const AppSnapshot& app, const ReplicaSnapshot& snapshot,
                       const std::string& limit, const Wait& wait) {
  std::string out;
  // On this machine, the command looks for the process of each replica with `gpus`
  // (core/status/gpu_memory.hpp).
  if (!snapshot.gpus.empty() && app.foreign != Foreign::kMachine)
    out += "\"gpus\":[" + snapshot.gpus + "]";
  if (!snapshot.ports_json.empty())
    out += (out.empty() ? "" : ",") + ("\"ports\":" + snapshot.ports_json);
  if (snapshot.ready)
    out += (out.empty() ? "" : ",") +
           std::string(*snapshot.ready ? "\"ready\":true" : "\"ready\":false");
  if (snapshot.service) out += (out.empty() ? "" : ",") + std::string("\"service\":true");
  if (!limit.empty()) out += (out.empty() ? "" : ",") + ("\"limit\":" + json_quote(limit));
  if (!wait.text.empty())
    out += (out.empty() ? "" : ",") + ("\"waits_for\":" + json_quote(wait.text));
  // A wait with an end has a text, which precedes it.
  if (wait.end_ns != 0) out += ",\"next_attempt_at\":" + utc_json(wait.end_ns);
  return out.empty() ? out : "{" + out + "}";
}

/// Returns why the replica ended. The app's time limit is also the reason for replicas that it
/// cancelled before they started.
Reason reason_of_end(const AppSnapshot& app, const ReplicaSnapshot& replica) {
  const bool is_limit = app.exceeded_app_timeout && replica.reason == Reason::kCancelled;
  return is_limit ? Reason::kTimeout : replica.reason;
}

/// Returns the limit that the replica exceeded; empty if it exceeded none.
std::string limit_of(const RecordDetails& details, const std::string& role,
                     const ReplicaSnapshot& replica, Reason reason) {
  const auto limits = details.limits.find(role);
  if (limits == details.limits.end()) return {};
  if (reason == Reason::kTimeout)
    return replica.exceeded_own_timeout ? limits->second.time : limits->second.app_time;
  return reason == Reason::kOom ? limits->second.memory : std::string();
}

/// Returns what a pending replica waits for; without a text if that is not known.
Wait wait_of(const AppSnapshot& app, const std::string& role, const ReplicaSnapshot& replica,
             const RecordDetails& details) {
  const bool is_waiting = replica.state == AppState::kPending && !is_terminal(app.state);
  if (!is_waiting || app.foreign != Foreign::kNo) return {};
  Wait pause = pause_of(replica);
  if (!pause.text.empty()) return pause;
  const auto wait = details.waits.find(role);
  return wait == details.waits.end() ? Wait() : Wait{wait->second, 0};
}

/// Sets the fields that every description of an app has.
template <class App>
void set_common_fields(const App& app, Description& out) {
  out.app_id = app.app_id;
  out.name = app.name;
  out.state = app.state;
  out.submitted_at = time_of(app.submitted_ns);
  out.started_at = time_of(app.started_ns);
  out.finished_at = time_of(app.finished_ns);
}

/// Returns `path` as a URL of this machine.
std::string file_url(const std::string& path) { return "file://" + percent_encoded(path, "/"); }

}  // namespace

Description describe(const AppSnapshot& app, const RecordDetails& details) {
  Description out;
  set_common_fields(app, out);
  out.msg = app.message;
  const std::string doubt = doubt_about(app);
  if (!doubt.empty()) out.msg += (out.msg.empty() ? "" : "; ") + doubt;
  out.num_restarts = static_cast<std::int32_t>(app.num_restarts);
  out.ui_url = file_url(app.log_dir);
  out.structured_error_json = details.first_error_file;
  for (const RoleSnapshot& role : app.roles) {
    RoleStatus& status = out.roles.emplace_back();
    status.role = role.name;
    status.replicas.reserve(role.replicas.size());
    for (const ReplicaSnapshot& snapshot : role.replicas) {
      ReplicaStatus& replica = status.replicas.emplace_back();
      replica.id = snapshot.id;
      replica.count = snapshot.count;
      replica.state = snapshot.state;
      replica.hostname = app.host;
      replica.pid = snapshot.pid;
      replica.exit_code = snapshot.exit_code;
      if (snapshot.reason == Reason::kSpawnFailed)
        replica.exit_code = shell_status(snapshot.error_number);
      replica.signal = snapshot.signal.value_or(0);
      const Reason reason = reason_of_end(app, snapshot);
      replica.reason = reason_name(reason);
      replica.restarts = static_cast<std::int32_t>(snapshot.restarts);
      replica.started_at = time_of(snapshot.started_ns);
      replica.finished_at = time_of(snapshot.finished_ns);
      replica.use = snapshot.use;
      replica.earlier_attempts.assign(snapshot.earlier.begin(), snapshot.earlier.end());
      replica.details_json =
          details_of(app, snapshot, limit_of(details, role.name, snapshot, reason),
                     wait_of(app, role.name, snapshot, details));
      if (!snapshot.has_error_file) continue;
      const auto error = details.error_files.find({role.name, snapshot.id});
      if (error != details.error_files.end()) replica.structured_error_json = error->second;
    }
  }
  return out;
}

Description describe(const AppSummary& app) {
  Description out;
  set_common_fields(app, out);
  out.msg = app.message;
  return out;
}

ListItem list_item(const AppSummary& app) {
  return {app.app_id, app.name, app.session, app.state, time_of(app.submitted_ns)};
}

std::vector<RoleSize> role_sizes(const AppSnapshot& app) {
  std::vector<RoleSize> out;
  for (const RoleSnapshot& role : app.roles)
    out.push_back({role.name, static_cast<std::int32_t>(role.replicas.size())});
  return out;
}

}  // namespace slipway::local
