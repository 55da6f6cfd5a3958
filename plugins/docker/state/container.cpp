#include "plugins/docker/state/container.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "plugins/docker/engine/engine_time.hpp"
#include "plugins/docker/engine/json_text.hpp"
#include "plugins/docker/request/container_plan.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/signals.hpp"

namespace slipway::docker {

namespace {

namespace json = boost::json;

using rules::Reason;

// Exit codes, as in shells.
constexpr int kSignalBase = 128;
constexpr int kNotFound = 127;
constexpr int kNotExecutable = 126;

std::int64_t number_in(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_int64() ? value->get_int64() : 0;
}

const json::object& object_in(const json::object& object, std::string_view key) {
  static const json::object kEmpty;
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_object() ? value->get_object() : kEmpty;
}

/// Returns the code in "Exited (3) 5 minutes ago".
std::optional<std::int32_t> exit_code_in(std::string_view words) {
  const std::size_t open = words.find('(');
  if (open == std::string_view::npos) return std::nullopt;
  words.remove_prefix(open + 1);
  return take_plain_number<std::int32_t>(words);
}

void add_ports(const json::value& ports, Container& out) {
  if (!ports.is_array()) return;
  for (const json::value& each : ports.get_array()) {
    if (!each.is_object()) continue;
    const std::int64_t host = number_in(each.get_object(), "PublicPort");
    if (host == 0) continue;
    set(out.published_ports, std::to_string(number_in(each.get_object(), "PrivatePort")),
        text_in(each.get_object(), "IP") + ":" + std::to_string(host));
  }
}

Container container_in(const json::object& object) {
  Container out;
  out.id = text_in(object, "Id");
  out.image_id = text_in(object, "ImageID");
  out.status = text_in(object, "State");
  if (out.status == "exited" || out.status == "dead")
    out.exit_code = exit_code_in(text_in(object, "Status"));
  out.created_s = number_in(object, "Created");
  out.network = text_in(object_in(object, "HostConfig"), "NetworkMode");
  for (const auto& [key, value] : object_in(object, "Labels")) {
    if (value.is_string()) out.labels.emplace_back(key, std::string(value.get_string()));
  }
  if (const json::value* names = object.if_contains("Names"); names && names->is_array()) {
    for (const json::value& name : names->get_array()) {
      // A name with a second '/' is that of a link from another container.
      if (name.is_string() && name.get_string().rfind('/') == 0)
        out.name = std::string(name.get_string()).substr(1);
    }
  }
  out.mark = take_mark(out.name);
  // The names of earlier attempts and of marked ones end with the number of the attempt.
  const std::string number = "." + out.label(kAttemptLabel);
  if (number.size() > 1 && out.name.ends_with(number))
    out.name.resize(out.name.size() - number.size());
  if (const json::value* ports = object.if_contains("Ports")) add_ports(*ports, out);
  return out;
}

Error unreadable_answer() {
  return {Code::kTemporary, "the Docker engine's answer about containers cannot be read as JSON",
          "try again; if it happens again, see whether another program listens on its socket"};
}

}  // namespace

std::string Container::label(std::string_view key) const {
  const std::string* value = find(labels, key);
  return value != nullptr ? *value : std::string();
}

std::string Container::app_id() const { return label(kAppIdLabel); }
std::string Container::role() const { return label(kRoleLabel); }

std::int32_t Container::replica() const {
  return plain_number<std::int32_t>(label(kReplicaLabel)).value_or(0);
}

std::int32_t Container::attempt() const {
  return plain_number<std::int32_t>(label(kAttemptLabel)).value_or(1);
}

std::int32_t Container::app_restarts() const {
  return plain_number<std::int32_t>(label(kAppRestartsLabel)).value_or(0);
}

std::int32_t Container::role_restarts() const {
  return plain_number<std::int32_t>(label(kRoleRestartsLabel)).value_or(0);
}

bool Container::is_live() const { return !is_terminal(state_of(*this)); }

HttpRequest list_request(std::string_view app_id) {
  std::string label = kAppIdLabel;
  if (!app_id.empty()) label.append("=").append(app_id);
  const std::string filters = json::serialize(json::object{{"label", json::array{label}}});
  HttpRequest out;
  out.target = "/containers/json?all=1&filters=" + url_text(filters);
  return out;
}

std::vector<Container> containers_in(const Answer& answer) {
  if (!answer.ok()) throw engine_error("the Docker engine does not list its containers", answer);
  boost::system::error_code error;
  const json::value parsed = json::parse(answer.body, error);
  if (error || !parsed.is_array()) throw unreadable_answer();
  std::vector<Container> out;
  for (const json::value& each : parsed.get_array()) {
    if (!each.is_object()) throw unreadable_answer();
    Container container = container_in(each.get_object());
    if (!container.app_id().empty()) out.push_back(std::move(container));
  }
  return out;
}

void add_inspection(Container& container, const Answer& answer) {
  if (!answer.ok()) throw engine_error("the Docker engine does not show a container", answer);
  boost::system::error_code error;
  const json::value parsed = json::parse(answer.body, error);
  if (error || !parsed.is_object()) throw unreadable_answer();
  const json::object& object = parsed.get_object();
  container.is_inspected = true;
  const json::object& state = object_in(object, "State");
  container.status = text_in(state, "Status");
  container.exit_code.reset();
  if (container.status == "exited" || container.status == "dead")
    container.exit_code = static_cast<std::int32_t>(number_in(state, "ExitCode"));
  container.pid = number_in(state, "Pid");
  const json::value* oom = state.if_contains("OOMKilled");
  container.is_out_of_memory = oom != nullptr && oom->is_bool() && oom->get_bool();
  container.error = text_in(state, "Error");
  // The engine also sets an exit code for a container that it could not start.
  if (container.mark == Mark::kSpawnFailed)
    container.exit_code = static_cast<std::int32_t>(number_in(state, "ExitCode"));
  container.restarts = static_cast<std::int32_t>(number_in(object, "RestartCount"));
  // The engine also counts the restart for which it waits.
  if (container.status == "restarting" && container.restarts > 0) --container.restarts;
  for (const auto& [name, network] : object_in(object_in(object, "NetworkSettings"), "Networks")) {
    if (network.is_object() && container.address.empty())
      container.address = text_in(network.get_object(), "IPAddress");
  }
  container.started_at = parse_time(text_in(state, "StartedAt"));
  container.finished_at = parse_time(text_in(state, "FinishedAt"));
  // The engine takes the time of a start late, when a short program may have ended already.
  if (container.exit_code && container.finished_at && container.started_at)
    container.started_at = std::min(*container.started_at, *container.finished_at);
}

AppState state_of(const Container& container) {
  const std::string& status = container.status;
  const bool is_marked = container.mark != Mark::kNone;
  if (status == "running") return AppState::kRunning;
  if (status == "created" && !is_marked) return AppState::kSubmitted;
  if (status == "restarting" || status == "paused" || status == "removing")
    return AppState::kPending;
  if (status != "created" && status != "exited" && status != "dead") return AppState::kUnknown;
  switch (reason_for(container.mark)) {
    case Reason::kNone: break;
    case Reason::kTimeout:
      // A container that only waited for its start when app_timeout_s was over has not failed.
      return container.has_started() ? AppState::kFailed : AppState::kCancelled;
    case Reason::kNotReady:
    case Reason::kDependency:
    case Reason::kSpawnFailed: return AppState::kFailed;
    default: return AppState::kCancelled;
  }
  return status == "exited" && container.exit_code == 0 ? AppState::kSucceeded : AppState::kFailed;
}

Reason reason_of(const Container& container) {
  const AppState state = state_of(container);
  if (!is_terminal(state)) return Reason::kNone;
  if (container.mark != Mark::kNone) return reason_for(container.mark);
  if (container.is_out_of_memory && state == AppState::kFailed) return Reason::kOom;
  if (!container.error.empty() &&
      (container.exit_code == kNotFound || container.exit_code == kNotExecutable))
    return Reason::kSpawnFailed;
  return signal_of(container) != 0 ? Reason::kSignal : Reason::kExit;
}

std::string marked_name(const Container& container, Mark mark) {
  const bool has_attempts = !container.label(kAttemptLabel).empty();
  return (has_attempts ? earlier_name(container) : container.name) + std::string(name_of(mark));
}

std::string earlier_name(const Container& container) {
  return container.name + "." + std::to_string(container.attempt());
}

int signal_of(const Container& container) {
  const int code = container.exit_code.value_or(0);
  return code > kSignalBase && code <= kSignalBase + kLastSignal ? code - kSignalBase : 0;
}

}  // namespace slipway::docker
