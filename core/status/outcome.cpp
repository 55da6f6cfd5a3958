#include "core/status/outcome.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <limits>

#include "sdk/support/signal_name.hpp"

namespace slipway {

namespace {

/// Returns the member of the scheduler's details about a replica; null if it is missing.
boost::json::value detail_of(const ReplicaStatus& replica, const char* key) {
  if (replica.details_json.empty()) return nullptr;
  boost::system::error_code error;
  const boost::json::value details = boost::json::parse(replica.details_json, error);
  if (error || !details.is_object()) return nullptr;
  const boost::json::value* const found = details.get_object().if_contains(key);
  return found == nullptr ? boost::json::value() : *found;
}

std::string text_detail(const ReplicaStatus& replica, const char* key) {
  const boost::json::value text = detail_of(replica, key);
  return text.is_string() ? std::string(text.get_string()) : std::string();
}

/// Returns whether the reason says more than the state, the exit code and the signal.
bool says_more(const std::string& reason) {
  return !reason.empty() && reason != "exit" && reason != "signal" && reason != "cancelled";
}

/// Returns the outcome of an attempt or a replica that has ended.
template <class Ended>
std::string outcome_of(const Ended& ended) {
  if (ended.reason == "spawn_failed") return "could not be started";
  if (ended.reason == "lost") return "lost: its end was not observed";
  if (ended.reason == "work_done") return "stopped: the other roles have ended";
  if (ended.reason == "dependency")
    return "did not run: a role that it waits for failed or was never ready";
  std::string out;
  if (ended.signal > 0) {
    out = "killed by " + signal_name(ended.signal);
  } else if (ended.exit_code && *ended.exit_code != 0) {
    out = fmt::format("exit {}", *ended.exit_code);
  }
  if (says_more(ended.reason)) out += (out.empty() ? "" : ", ") + ended.reason;
  return out;
}

}  // namespace

std::string outcome(const ReplicaStatus& replica) {
  if (!is_terminal(replica.state))
    return replica.pid > 0 ? fmt::format("pid {}", replica.pid) : std::string();
  return outcome_of(replica);
}

std::string outcome(const AttemptStatus& attempt) {
  if (attempt.reason == "restarted") return attempt.reason;  // the signal was Slipway's
  const std::string out = outcome_of(attempt);
  return out.empty() ? std::string(to_string(attempt.state)) : out;
}

std::string ending_text(AppState state, std::optional<std::int32_t> exit_code, std::int32_t signal,
                        const std::string& reason, const std::string& limit) {
  if (reason == "spawn_failed") return "could not be started";
  if (reason == "lost") return "was lost: its end was not observed";
  if (reason == "oom")
    return limit.empty() ? "ran out of memory" : "ran out of its " + limit + " of memory";
  if (reason == "timeout") return "exceeded " + (limit.empty() ? "its time limit" : limit);
  if (reason == "not_ready") return "was not ready in time";
  if (reason == "dependency")
    return "did not run, because a role that it waits for failed or was never ready";
  if (reason == "restarted") return "was stopped for a restart";
  if (reason == "work_done") return "was stopped, because the other roles have ended";
  const std::string word = says_more(reason) ? " (" + reason + ")" : "";  // the scheduler's own
  if (state == AppState::kCancelled) return "was cancelled" + word;
  if (signal > 0) return "was killed by " + signal_name(signal) + word;
  if (state == AppState::kSucceeded) return "succeeded" + word;
  if (exit_code) return fmt::format("exited with {}{}", *exit_code, word);
  return fmt::format("is {}{}", to_string(state), word);
}

const ReplicaStatus* first_failure(const Description& app, const RoleStatus** role) {
  const ReplicaStatus* first = nullptr;
  std::int64_t earliest = std::numeric_limits<std::int64_t>::max();
  for (const RoleStatus& candidate : app.roles) {
    for (const ReplicaStatus& replica : candidate.replicas) {
      if (replica.state != AppState::kFailed) continue;
      // A replica without an end time comes after all others.
      const std::int64_t when =
          replica.finished_at.value_or(std::numeric_limits<std::int64_t>::max());
      if (first != nullptr && when >= earliest) continue;
      first = &replica;
      earliest = when;
      *role = &candidate;
    }
  }
  return first;
}

std::string failure_text(const Description& app) {
  const RoleStatus* role = nullptr;
  const ReplicaStatus* replica = first_failure(app, &role);
  if (replica == nullptr) return app.msg;
  // The app's message explains replicas that could not start or were not ready in time.
  if ((replica->reason == "spawn_failed" || replica->reason == "not_ready") && !app.msg.empty())
    return app.msg;
  // For a lost replica, the app's message may say what has happened to its machine.
  const std::string cause =
      replica->reason == "lost" && !app.msg.empty() ? " (" + app.msg + ")" : "";
  return fmt::format("{}/{} {}{}", role->role, replica->id,
                     ending_text(replica->state, replica->exit_code, replica->signal,
                                 replica->reason, limit_of(*replica)),
                     cause);
}

std::size_t earlier_attempts_of(const ReplicaStatus& replica) {
  return std::max(replica.earlier_attempts.size(),
                  static_cast<std::size_t>(std::max(replica.restarts, 0)));
}

std::string limit_of(const ReplicaStatus& replica) { return text_detail(replica, "limit"); }

std::string wait_of(const ReplicaStatus& replica) { return text_detail(replica, "waits_for"); }

std::string next_attempt_of(const ReplicaStatus& replica) {
  return text_detail(replica, "next_attempt_at");
}

std::optional<bool> readiness(const ReplicaStatus& replica) {
  const boost::json::value ready = detail_of(replica, "ready");
  return ready.is_bool() ? std::optional(ready.get_bool()) : std::nullopt;
}

bool is_service(const RoleStatus& role) {
  if (role.replicas.empty()) return false;
  const boost::json::value service = detail_of(role.replicas.front(), "service");
  return service.is_bool() && service.get_bool();
}

}  // namespace slipway
