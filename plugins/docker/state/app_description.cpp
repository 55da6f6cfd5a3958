#include "plugins/docker/state/app_description.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "plugins/docker/request/container_plan.hpp"
#include "plugins/docker/state/app_progress.hpp"
#include "plugins/docker/state/start_conditions.hpp"
#include "sdk/support/plain_number.hpp"
#include "sdk/support/utc_time.hpp"

namespace slipway::docker {

namespace {

/// Returns the addresses of the published ports, by the names of the ports in the app.
boost::json::object ports_of(const Container& container) {
  boost::json::object out;
  boost::system::error_code error;
  const boost::json::value named = boost::json::parse(container.label(kPortsLabel), error);
  if (error || !named.is_object()) return out;
  for (const auto& [name, port] : named.get_object()) {
    if (!port.is_int64()) continue;
    if (const std::string* address =
            find(container.published_ports, std::to_string(port.get_int64())))
      out[name] = *address;
  }
  return out;
}

using rules::Reason;

std::string seconds(std::int64_t ms) { return rules::seconds_text(ms) + " s"; }

/// Returns the limit that the replica exceeded; empty if it exceeded none.
std::string limit_of(const AppRules& rules, const ReplicaProgress& replica) {
  if (reason_of(replica.current()) != Reason::kTimeout) return {};
  if (replica.current().mark == Mark::kAppTimeout)
    return "app_timeout_s of " + seconds(rules.life.app_timeout_ms);
  const auto own = rules.roles[replica.role].rules.timeout_ms;
  return "timeout_s of " + seconds(own.value_or(rules.life.timeout_ms));
}

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

bool has_probe(const RoleInApp& role) { return role.ready.kind != rules::ReadyProbe::Kind::kNone; }

/// Returns whether the replica is ready, as JSON; null if it is unknown.
boost::json::value readiness_of(const ReplicaProgress& replica,
                                const std::optional<ReadyContainers>& ready) {
  const Container& container = replica.current();
  if (replica.state == AppState::kPending || !container.has_started() ||
      container.mark == Mark::kNotReady)
    return false;
  if (ready && ready->contains(container.id)) return true;
  // If the replica has ended, its probe may have passed under an earlier helper: its successor does
  // not probe ended containers.
  if (ready && !replica.is_final()) return false;
  return nullptr;
}

/// The facts about an app with rules that descriptions of all its replicas need.
struct AppFacts {
  const AppRules& rules;
  const std::optional<ReadyContainers>& ready;
  StartConditions conditions;
};

/// Returns the fields of `status --json` that only some schedulers have.
std::string details_of(const AppFacts* app, const ReplicaProgress& replica) {
  const Container& container = replica.current();
  boost::json::object out = {{"container", container.id}, {"image", container.image_id}};
  if (auto ports = ports_of(container); !ports.empty()) out["ports"] = std::move(ports);
  if (app == nullptr) return boost::json::serialize(out);
  const RoleInApp& role = app->rules.roles[replica.role];
  if (has_probe(role)) out["ready"] = readiness_of(replica, app->ready);
  if (role.rules.service) out["service"] = true;
  if (const std::string limit = limit_of(app->rules, replica); !limit.empty()) out["limit"] = limit;
  const Wait wait = app->conditions.wait_of(replica, now_ns());
  if (!wait.text.empty()) out["waits_for"] = wait.text;
  std::string text = boost::json::serialize(out);
  if (wait.end) {
    text.pop_back();  // utc_json() returns JSON, so it is appended to the text
    text += ",\"next_attempt_at\":" + utc_json(*wait.end) + "}";
  }
  return text;
}

/// Sets the fields that AttemptStatus and ReplicaStatus have in common.
template <class Status>
void set_common_fields(Status& out, const Container& container) {
  out.pid = container.pid;
  out.signal = signal_of(container);
  const bool has_code = container.has_started() || container.mark == Mark::kSpawnFailed;
  if (out.signal == 0 && has_code) out.exit_code = container.exit_code;
  out.reason = reason_name(reason_of(container));
  out.started_at = container.started_at;
  if (is_terminal(state_of(container))) out.finished_at = container.finished_at;
}

AttemptStatus attempt_of(const Container& container) {
  AttemptStatus out;
  out.state = state_of(container);
  set_common_fields(out, container);
  return out;
}

ReplicaStatus replica_of(const AppFacts* app, const ReplicaProgress& replica) {
  const Container& container = replica.current();
  ReplicaStatus out;
  out.id = container.replica();
  out.state = replica.state;
  out.hostname = container.name;
  set_common_fields(out, container);
  if (!replica.is_final()) out.reason.clear();  // another attempt follows the end
  out.restarts = container.restarts;
  for (auto one = replica.attempts.begin(); one + 1 != replica.attempts.end(); ++one) {
    if (!(*one)->has_started()) continue;  // it was replaced before it started
    out.earlier_attempts.push_back(attempt_of(**one));
    ++out.restarts;
  }
  out.details_json = details_of(app, replica);
  return out;
}

/// Adds the times of the app, and the engine's restarts of its containers.
void add_times(Description& app, const std::vector<Container>& containers) {
  const bool is_over = is_terminal(app.state);
  for (const Container& container : containers) {
    app.num_restarts += container.restarts;
    if (container.started_at && (!app.started_at || *container.started_at < *app.started_at))
      app.started_at = container.started_at;
    if (is_over && container.finished_at &&
        (!app.finished_at || *container.finished_at > *app.finished_at))
      app.finished_at = container.finished_at;
  }
  // No container has started.
  if (is_over && !app.finished_at) app.finished_at = app.submitted_at;
}

std::string replica_name(const Container& container) {
  return container.role() + "/" + std::to_string(container.replica());
}

/// Returns a text about a replica that was not ready in time; empty if there is none.
std::string not_ready_text(const AppRules& rules, const AppProgress& progress) {
  for (const ReplicaProgress& replica : progress.replicas()) {
    if (replica.state == AppState::kFailed && replica.current().mark == Mark::kNotReady) {
      return replica_name(replica.current()) + " was not ready within " +
             seconds(rules.roles[replica.role].ready.within_ms);
    }
  }
  return {};
}

/// Returns why Slipway itself stopped the app; empty if it did not.
std::string stop_text(const AppRules& rules, const AppProgress& progress) {
  switch (progress.stop_cause()) {
    case Mark::kAppTimeout:
      return "the app took longer than its app_timeout_s of " +
             rules::seconds_text(rules.life.app_timeout_ms) + " seconds";
    case Mark::kFailFast:
    case Mark::kTooFew: break;
    default: return {};
  }
  for (const ReplicaProgress& replica : progress.replicas()) {
    if (replica.state != AppState::kFailed || !progress.has_failed(replica.role)) continue;
    return replica_name(replica.current()) +
           (progress.stop_cause() == Mark::kFailFast
                ? " failed, and the rest of the app was stopped, as fail_fast asks"
                : " failed: fewer replicas of its role can still live than its min_replicas");
  }
  return {};
}

std::string message_of(const std::optional<AppRules>& rules, const AppProgress& progress,
                       const std::vector<Container>& containers) {
  if (rules) {
    if (std::string text = stop_text(*rules, progress); !text.empty()) return text;
    if (std::string text = not_ready_text(*rules, progress); !text.empty()) return text;
  }
  for (const Container& container : containers) {
    if (!container.error.empty()) return replica_name(container) + ": " + container.error;
  }
  return {};
}

}  // namespace

void sort_replicas(std::vector<Container>& containers) {
  const auto sort_key = [](const Container& one) {
    const auto index = plain_number<std::int64_t>(one.label(kIndexLabel));
    return std::tuple(index.value_or(0), one.role(), one.replica(), one.attempt());
  };
  std::sort(containers.begin(), containers.end(),
            [&](const Container& a, const Container& b) { return sort_key(a) < sort_key(b); });
}

AppState app_state(const std::vector<Container>& containers) {
  const std::optional<AppRules> rules = rules_of(containers);
  return AppProgress(rules, containers).state();
}

TimeNs submitted_at(const Container& container) {
  if (const auto ns = plain_number<std::int64_t>(container.label(kSubmittedLabel))) return ns;
  return container.created_s * 1'000'000'000;
}

bool has_probes(const std::vector<Container>& containers) {
  const std::optional<AppRules> rules = rules_of(containers);
  return rules && std::any_of(rules->roles.begin(), rules->roles.end(), has_probe);
}

Description description_of(const std::vector<Container>& containers, bool with_replicas,
                           const std::optional<ReadyContainers>& ready) {
  const Container& first = containers.front();
  const std::optional<AppRules> rules = rules_of(containers);
  const AppProgress progress(rules, containers);
  Description out;
  out.app_id = first.app_id();
  out.name = first.label(kNameLabel);
  out.state = progress.state();
  out.submitted_at = submitted_at(first);
  out.num_restarts = progress.app_restarts();
  add_times(out, containers);
  if (!with_replicas) return out;
  std::optional<AppFacts> facts;
  if (rules) {
    const IsReady is_ready = [&](const Container& one) { return ready && ready->contains(one.id); };
    facts.emplace(AppFacts{*rules, ready, StartConditions(*rules, progress, is_ready)});
  }
  for (const ReplicaProgress& replica : progress.replicas()) {
    const std::string role = replica.current().role();
    if (out.roles.empty() || out.roles.back().role != role) out.roles.push_back({role, {}});
    out.roles.back().replicas.push_back(replica_of(facts ? &*facts : nullptr, replica));
  }
  out.msg = message_of(rules, progress, containers);
  out.metadata = {{"network", first.network}};
  return out;
}

std::string app_text_of(const std::vector<Container>& containers) {
  for (const Container& container : containers) {
    if (std::string text = container.label(kAppLabel); !text.empty()) return text;
  }
  return {};
}

std::vector<ListItem> list_items(
    const std::vector<Container>& containers,
    const std::function<void(const std::vector<Container>&, AppState)>& visit) {
  std::map<std::string, std::vector<Container>> apps;
  for (const Container& container : containers)
    apps[container.label(kSessionLabel) + "/" + container.app_id()].push_back(container);
  std::vector<ListItem> out;
  for (auto& [session_and_id, members] : apps) {
    sort_replicas(members);
    const Container& first = members.front();
    const AppState state = app_state(members);
    out.push_back({first.app_id(), first.label(kNameLabel), first.label(kSessionLabel), state,
                   submitted_at(first)});
    visit(members, state);
  }
  std::sort(out.begin(), out.end(), [](const ListItem& a, const ListItem& b) {
    return std::tuple(a.submitted_at, a.app_id) > std::tuple(b.submitted_at, b.app_id);
  });
  return out;
}

}  // namespace slipway::docker
