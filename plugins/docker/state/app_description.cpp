#include "plugins/docker/state/app_description.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <tuple>
#include <utility>

#include "plugins/docker/request/container_plan.hpp"
#include "sdk/support/plain_number.hpp"

namespace slipway::docker {

namespace {

constexpr int kNotFound = 127;
constexpr int kNotExecutable = 126;

/// Returns the published ports by their names in the app.
boost::json::object ports_of(const Container& container) {
  boost::json::object out;
  boost::system::error_code error;
  const boost::json::value named = boost::json::parse(container.label(kPortsLabel), error);
  if (error || !named.is_object()) return out;
  for (const auto& [name, port] : named.get_object()) {
    if (!port.is_int64()) continue;
    if (const std::string* address = find(container.published, std::to_string(port.get_int64())))
      out[name] = *address;
  }
  return out;
}

std::string details_of(const Container& container) {
  boost::json::object out = {{"container", container.id}, {"image", container.image_id}};
  if (auto ports = ports_of(container); !ports.empty()) out["ports"] = std::move(ports);
  return boost::json::serialize(out);
}

std::string reason_of(const Container& container, AppState state) {
  if (!is_terminal(state)) return {};
  if (state == AppState::kCancelled) return "cancelled";
  if (container.is_out_of_memory && state == AppState::kFailed) return "oom";
  if (!container.error.empty() &&
      (container.exit_code == kNotFound || container.exit_code == kNotExecutable))
    return "spawn_failed";
  return signal_of(container) != 0 ? "signal" : "exit";
}

ReplicaStatus replica_of(const Container& container) {
  ReplicaStatus out;
  out.id = container.replica();
  out.state = state_of(container);
  out.hostname = container.name;
  out.pid = container.pid;
  out.signal = signal_of(container);
  if (out.signal == 0 && container.status != "created") out.exit_code = container.exit_code;
  out.reason = reason_of(container, out.state);
  out.restarts = container.restarts;
  out.started_at = container.started_at;
  if (is_terminal(out.state)) out.finished_at = container.finished_at;
  out.details_json = details_of(container);
  return out;
}

void add_replica(Description& app, const Container& container) {
  const std::string role = container.role();
  if (app.roles.empty() || app.roles.back().role != role) app.roles.push_back({role, {}});
  app.roles.back().replicas.push_back(replica_of(container));
}

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
  if (is_over && !app.finished_at) app.finished_at = app.submitted_at;
}

}  // namespace

void sort_replicas(std::vector<Container>& containers) {
  const auto place = [](const Container& one) {
    const auto index = plain_number<std::int64_t>(one.label(kIndexLabel));
    return std::tuple(index.value_or(0), one.role(), one.replica());
  };
  std::sort(containers.begin(), containers.end(),
            [&](const Container& a, const Container& b) { return place(a) < place(b); });
}

AppState app_state(const std::vector<Container>& containers) {
  bool is_failed = false;
  bool is_cancelled = false;
  for (const Container& container : containers) {
    const AppState state = state_of(container);
    if (!is_terminal(state)) return state;
    is_failed = is_failed || state == AppState::kFailed;
    is_cancelled = is_cancelled || state == AppState::kCancelled;
  }
  if (is_cancelled) return AppState::kCancelled;
  return is_failed ? AppState::kFailed : AppState::kSucceeded;
}

TimeNs submitted_at(const Container& container) {
  if (const auto ns = plain_number<std::int64_t>(container.label(kSubmittedLabel))) return ns;
  return container.created_s * 1'000'000'000;
}

Description description_of(const std::vector<Container>& containers, bool with_replicas) {
  const Container& first = containers.front();
  Description out;
  out.app_id = first.app_id();
  out.name = first.label(kNameLabel);
  out.state = app_state(containers);
  out.submitted_at = submitted_at(first);
  add_times(out, containers);
  if (!with_replicas) return out;
  for (const Container& container : containers) {
    add_replica(out, container);
    if (out.msg.empty() && !container.error.empty())
      out.msg =
          container.role() + "/" + std::to_string(container.replica()) + ": " + container.error;
  }
  out.metadata = {{"network", first.network}};
  return out;
}

std::string app_text_of(const std::vector<Container>& containers) {
  for (const Container& container : containers) {
    if (std::string text = container.label(kAppLabel); !text.empty()) return text;
  }
  return {};
}

std::vector<ListItem> list_items(const std::vector<Container>& containers) {
  std::map<std::string, std::vector<Container>> apps;
  for (const Container& container : containers)
    apps[container.label(kSessionLabel) + "/" + container.app_id()].push_back(container);
  std::vector<ListItem> out;
  for (const auto& [place, members] : apps) {
    const Container& first = members.front();
    out.push_back({first.app_id(), first.label(kNameLabel), first.label(kSessionLabel),
                   app_state(members), submitted_at(first)});
  }
  std::sort(out.begin(), out.end(), [](const ListItem& a, const ListItem& b) {
    return std::tuple(a.submitted_at, a.app_id) > std::tuple(b.submitted_at, b.app_id);
  });
  return out;
}

}  // namespace slipway::docker
