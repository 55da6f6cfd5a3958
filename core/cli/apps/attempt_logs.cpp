#include "core/cli/apps/attempt_logs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "core/status/outcome.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

namespace {

/// The period that belongs to one attempt of a replica, in ns since 1970. A bound without a value
/// does not limit the period.
struct AttemptTime {
  TimeNs since;
  TimeNs until;
};

// A Docker engine records the start of a container shortly after its program has started. So the
// time of an attempt begins this much earlier than the record, in ns. The output of the attempt
// before is older: the engine waits at least this long before it starts the container again.
constexpr std::int64_t kEarlierStartNs = 100'000'000;

/// Returns when attempt `number` began, or nothing if the status does not say it.
TimeNs start_of(const ReplicaStatus& replica, std::size_t number) {
  const auto& earlier = replica.earlier_attempts;
  if (number <= earlier.size()) return earlier[number - 1].started_at;
  if (number != attempts_of(replica) || !replica.started_at) return std::nullopt;
  // A scheduler that lists no attempts leaves restarts to its engine.
  const bool is_listed = number == earlier.size() + 1;
  return *replica.started_at - (is_listed ? 0 : kEarlierStartNs);
}

/// Returns when attempt `number` of the replica `name` began. Throws Error kUnimplemented if the
/// status does not say it.
TimeNs known_start(const AppStatus& status, const std::string& name, const ReplicaStatus& replica,
                   std::size_t number) {
  const TimeNs start = start_of(replica, number);
  if (start) return start;
  throw Error(Code::kUnimplemented,
              fmt::format("attempts cannot be told apart: {} does not record when attempt {} of {} "
                          "began",
                          status.handle.scheduler, number, name),
              "leave --attempt out");
}

/// Returns the time of attempt `number`. Throws as known_start(), and Error kUnavailable if the
/// clock was set back before the next attempt.
AttemptTime time_of(const AppStatus& status, const std::string& name, const ReplicaStatus& replica,
                    std::size_t number) {
  AttemptTime out;
  if (number > 1) out.since = known_start(status, name, replica, number);
  if (number < attempts_of(replica)) {
    out.until = *known_start(status, name, replica, number + 1) - 1;
    const TimeNs start = start_of(replica, number);
    if (start && *out.until < *start) {
      throw Error(Code::kUnavailable,
                  fmt::format("attempts {} and {} of {} cannot be told apart: the clock was set "
                              "back between them",
                              number, number + 1, name),
                  "leave --attempt out");
    }
  }
  return out;
}

/// Returns whether the query names the replica by its number.
bool is_named(const LogQuery& query, const std::string& role, std::int32_t id) {
  return std::any_of(query.targets.begin(), query.targets.end(), [&](const LogTarget& target) {
    return target.role == role &&
           std::find(target.replicas.begin(), target.replicas.end(), id) != target.replicas.end();
  });
}

/// Adds a replica to the last query of `out` if that query has the same bounds, or else to a new
/// query. Adds nothing if the attempt ran outside the times of `query`.
void add(const LogQuery& query, const AttemptTime& time, const std::string& role, std::int32_t id,
         std::vector<LogQuery>& out) {
  LogQuery own = query;
  own.since = time.since && own.since ? std::max(time.since, own.since)
              : time.since            ? time.since
                                      : own.since;
  own.until = time.until && own.until ? std::min(time.until, own.until)
              : time.until            ? time.until
                                      : own.until;
  if (own.since && own.until && *own.since > *own.until) return;  // no line can be in both times
  if (out.empty() || out.back().since != own.since || out.back().until != own.until) {
    own.targets.clear();
    out.push_back(std::move(own));
  }
  std::vector<LogTarget>& targets = out.back().targets;
  if (targets.empty() || targets.back().role != role) targets.push_back({role, {}});
  targets.back().replicas.push_back(id);
}

/// Returns whether the app has every role and replica that the query names.
bool has_targets(const AppStatus& status, const LogQuery& query) {
  return std::all_of(query.targets.begin(), query.targets.end(), [&](const LogTarget& target) {
    const auto& roles = status.description.roles;
    const auto role = std::find_if(roles.begin(), roles.end(), [&](const RoleStatus& each) {
      return each.role == target.role;
    });
    return role != roles.end() &&
           std::all_of(target.replicas.begin(), target.replicas.end(), [&](std::int32_t id) {
             return std::any_of(role->replicas.begin(), role->replicas.end(),
                                [&](const ReplicaStatus& replica) { return replica.id == id; });
           });
  });
}

}  // namespace

std::size_t attempts_of(const ReplicaStatus& replica) {
  return earlier_attempts_of(replica) + (replica.started_at ? 1 : 0);
}

AttemptQueries attempt_queries(const AppStatus& status, const LogQuery& query, std::size_t number) {
  AttemptQueries out;
  // If a role or replica does not exist, the unchanged query fails with the scheduler's error about
  // it.
  if (!has_targets(status, query)) return {{query}, 0};
  for (const RoleStatus& role : status.description.roles) {
    for (const ReplicaStatus& replica : role.replicas) {
      if (!query.wants(role.role, replica.id)) continue;
      const std::string name = role.role + "/" + std::to_string(replica.id);
      const std::size_t attempts = attempts_of(replica);
      out.most_attempts = std::max(out.most_attempts, attempts);
      if (attempts >= number) {
        add(query, time_of(status, name, replica, number), role.role, replica.id, out.queries);
      } else if (is_named(query, role.role, replica.id)) {
        throw Error(Code::kNotFound,
                    fmt::format("{} of {} has no attempt {}: it has had {} attempt{}", name,
                                status.handle.app_id, number, attempts, attempts == 1 ? "" : "s"),
                    "`slipway status` and `slipway events` show the attempts");
      }
    }
  }
  return out;
}

}  // namespace slipway::cli
