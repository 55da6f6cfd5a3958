#include "core/status/app_events.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "core/status/outcome.hpp"

namespace slipway {

namespace {

using Kind = AppEvent::Kind;

AppEvent event_of_app(Kind kind, TimeNs time, AppState state) {
  AppEvent out;
  out.kind = kind;
  out.time = time;
  out.state = state;
  return out;
}

/// Returns " restarts the app" or " restarts the role", or an empty text if a retry restarts only
/// the replica.
const char* extent(RetryPolicy policy) {
  switch (policy) {
    case RetryPolicy::kApplication: return " restarts the app";
    case RetryPolicy::kRole: return " restarts the role";
    case RetryPolicy::kReplica: break;
  }
  return "";
}

}  // namespace

const char* to_string(AppEvent::Kind kind) {
  switch (kind) {
    case Kind::kSubmitted: return "submitted";
    case Kind::kStarted: return "started";
    case Kind::kReplicaStarted: return "replica_started";
    case Kind::kAttemptEnded: return "attempt_ended";
    case Kind::kReplicaEnded: return "replica_ended";
    case Kind::kEnded: break;
  }
  return "ended";
}

std::vector<AppEvent> EventReader::read(const Description& app) {
  std::vector<AppEvent> out;
  if (!is_submitted_)
    out.push_back(event_of_app(Kind::kSubmitted, app.submitted_at, AppState::kSubmitted));
  is_submitted_ = true;
  if (!is_started_ && app.started_at) {
    is_started_ = true;
    out.push_back(event_of_app(Kind::kStarted, app.started_at, AppState::kRunning));
  }
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  for (const RoleStatus& role : app.roles) {
    for (const ReplicaStatus& replica : role.replicas) read_replica(role.role, replica, out);
  }
  const auto order = [](const AppEvent& event) {
    return event.time.value_or(std::numeric_limits<std::int64_t>::max());
  };
  std::stable_sort(out.begin() + first, out.end(),
                   [&](const AppEvent& a, const AppEvent& b) { return order(a) < order(b); });
  if (!has_ended_ && is_over(app)) {
    has_ended_ = true;
    AppEvent& end = out.emplace_back(event_of_app(Kind::kEnded, app.finished_at, app.state));
    if (app.state == AppState::kFailed || app.state == AppState::kUnknown)
      end.msg = failure_text(app);
  }
  return out;
}

void EventReader::read_replica(const std::string& role, const ReplicaStatus& replica,
                               std::vector<AppEvent>& out) {
  Seen& seen = seen_[{role, replica.id}];
  const auto add = [&](Kind kind, TimeNs time, std::size_t attempt, const auto& status) {
    AppEvent& event = out.emplace_back(event_of_app(kind, time, status.state));
    event.role = role;
    event.replica = replica.id;
    event.attempt = static_cast<std::int32_t>(attempt);
    if (kind == Kind::kReplicaStarted) {
      event.state = AppState::kRunning;
      return;
    }
    event.exit_code = status.exit_code;
    event.signal = status.signal;
    event.reason = status.reason;
  };
  for (; seen.ended < replica.earlier_attempts.size(); ++seen.ended) {
    const AttemptStatus& attempt = replica.earlier_attempts[seen.ended];
    if (seen.started == seen.ended) {
      ++seen.started;
      if (attempt.started_at) add(Kind::kReplicaStarted, attempt.started_at, seen.started, attempt);
    }
    add(Kind::kAttemptEnded, attempt.finished_at, seen.ended + 1, attempt);
  }
  // Attempts that the scheduler counts and does not describe have no events.
  const std::size_t earlier = earlier_attempts_of(replica);
  seen.started = std::max(seen.started, earlier);
  seen.ended = std::max(seen.ended, earlier);
  if (seen.started == earlier && replica.started_at) {
    ++seen.started;
    add(Kind::kReplicaStarted, replica.started_at, seen.started, replica);
  }
  if (seen.ended == earlier && is_terminal(replica.state)) {
    ++seen.ended;
    add(Kind::kReplicaEnded, replica.finished_at, earlier + 1, replica);
    out.back().limit = limit_of(replica);
  }
}

std::string event_text(const AppEvent& event, const RetryLimit* retry_limit) {
  switch (event.kind) {
    case Kind::kSubmitted: return "was submitted";
    case Kind::kStarted: return "runs";
    case Kind::kReplicaStarted:
      return event.attempt > 1 ? fmt::format("started, attempt {}", event.attempt) : "started";
    case Kind::kEnded: {
      const std::string end = fmt::format("is {}", to_string(event.state));
      return event.msg.empty() ? end : end + ": " + event.msg;
    }
    case Kind::kReplicaEnded:
    case Kind::kAttemptEnded: break;
  }
  std::string out =
      ending_text(event.state, event.exit_code, event.signal, event.reason, event.limit);
  if (event.kind == Kind::kReplicaEnded || event.reason == "restarted") return out;
  // A scheduler may start a lost replica again without counting it as a retry.
  if (retry_limit == nullptr || event.attempt > retry_limit->max_retries)
    return out + "; starts again";
  return out + fmt::format("; retry {} of {}{}", event.attempt, retry_limit->max_retries,
                           extent(retry_limit->policy));
}

std::string replica_names(const std::string& role, const std::vector<std::int32_t>& replicas) {
  constexpr std::size_t kMostNamed = 8;
  std::string out = role + "/";
  for (std::size_t i = 0; i < replicas.size() && i < kMostNamed; ++i)
    out += fmt::format("{}{}", i == 0 ? "" : ",", replicas[i]);
  const std::size_t others = replicas.size() - std::min(replicas.size(), kMostNamed);
  if (others > 0) out += fmt::format(" and {} other replica{}", others, others == 1 ? "" : "s");
  return out;
}

bool is_failure(const AppEvent& event) {
  if (event.kind != Kind::kAttemptEnded && event.kind != Kind::kReplicaEnded) return false;
  return event.state == AppState::kFailed && event.reason != "restarted" &&
         event.reason != "cancelled";
}

}  // namespace slipway
