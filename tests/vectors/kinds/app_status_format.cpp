// A status as text, YAML and JSON; whether it is terminal, and whether it counts as success.

#include "slipway/app_status.hpp"
#include "slipway/error.hpp"
#include "tests/vectors/bench.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {
namespace {

std::string text_or(const json::object& object, std::string_view key, std::string fallback) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? text_member(object, key) : fallback;
}

AppState state_of(const json::object& object) {
  const auto state = app_state_from(text_member(object, "state"));
  if (!state) throw BenchError("no such state: " + text_member(object, "state"));
  return *state;
}

RoleStatus role_status(const json::object& given) {
  RoleStatus out;
  out.role = text_member(given, "role");
  for (const json::value& each : member(given, "replicas").as_array()) {
    const json::object& replica = each.as_object();
    ReplicaStatus status;
    status.id = static_cast<std::int32_t>(member(replica, "id").to_number<std::int64_t>());
    status.state = state_of(replica);
    status.hostname = text_or(replica, "hostname", "");
    status.structured_error_json = text_or(replica, "structured_error_msg", "");
    out.replicas.push_back(std::move(status));
  }
  return out;
}

AppStatus status_of(const json::object& given) {
  AppStatus out;
  out.handle = {"sched", "session", "app-1"};
  Description& d = out.description;
  d.state = state_of(given);
  if (const json::value* restarts = given.if_contains("num_restarts"))
    d.num_restarts = static_cast<std::int32_t>(restarts->to_number<std::int64_t>());
  d.msg = text_or(given, "msg", "");
  d.ui_url = text_or(given, "ui_url", "");
  d.structured_error_json = text_or(given, "structured_error_msg", "");
  if (const json::value* roles = given.if_contains("roles")) {
    for (const json::value& role : roles->as_array())
      d.roles.push_back(role_status(role.as_object()));
  }
  return out;
}

}  // namespace

json::value run_app_status_format(VectorCase& one, Bench&) {
  const ScratchDirectory here;
  Surroundings surroundings(here.path());
  surroundings.set("TZ", "UTC");
  const AppStatus status = status_of(member(one.input, "status").as_object());
  std::vector<std::string> filter;
  if (const json::value* roles = one.input.if_contains("filter_roles")) filter = texts(*roles);
  const std::string op = text_member(one.input, "op");
  if (op == "format") return json::value(status.format(filter));
  if (op == "repr") return json::value(to_string(status));
  if (op == "to_json") return json::parse(status.to_json(filter));
  if (op == "is_terminal") return status.is_terminal();
  if (op != "raise_for_status") throw BenchError("unknown op " + op);
  status.raise_for_status();
  return nullptr;
}

}  // namespace slipway::vectors
