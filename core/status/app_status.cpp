#include "slipway/app_status.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/json.hpp>

#include "core/status/error_message.hpp"
#include "core/status/error_report.hpp"
#include "core/status/outcome.hpp"
#include "core/status/yaml_text.hpp"
#include "slipway/app.hpp"
#include "slipway/runner_errors.hpp"

namespace slipway {

namespace {

namespace json = boost::json;

std::string or_none(const std::string& text) { return text.empty() ? kNoneText : text; }

// Returns the name of the state, which is in upper case.
std::string upper_name(AppState state) { return std::string(to_string(state)); }

bool is_chosen(const RoleStatus& role, const std::vector<std::string>& filter_roles) {
  return filter_roles.empty() ||
         std::find(filter_roles.begin(), filter_roles.end(), role.role) != filter_roles.end();
}

std::string error_lines(const std::string& message) {
  std::string out = "\n        error_msg: ";
  bool first = true;
  for (const std::string& line : wrap_error_message(reduce_error_message(message))) {
    out += (first ? "" : "\n                ") + line;
    first = false;
  }
  return out;
}

// Returns the text after `role[k]:`. "(no reply file)" is TorchX's text for a missing error file.
std::string replica_text(const ReplicaStatus& replica) {
  std::string out = upper_name(replica.state);
  if (replica.structured_error_json.empty()) {
    const bool failed = replica.state == AppState::kFailed || replica.state == AppState::kCancelled;
    return failed ? out + " (no reply file)" : out;
  }
  const auto report = read_error_report(replica.structured_error_json);
  if (report) {
    out += fmt::format(" (exitcode: {})", report->exit_code.empty() ? "<N/A>" : report->exit_code);
    if (report->timestamp) out += "\n        timestamp: " + local_time_text(*report->timestamp);
  }
  return out + "\n        hostname: " + replica.hostname +
         error_lines(report ? report->message : replica.structured_error_json);
}

std::string role_text(const RoleStatus& role) {
  std::vector<const ReplicaStatus*> sorted;
  for (const ReplicaStatus& replica : role.replicas) sorted.push_back(&replica);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const ReplicaStatus* a, const ReplicaStatus* b) { return a->id < b->id; });
  std::string out;
  for (const ReplicaStatus* replica : sorted) {
    out += fmt::format("\n {}{}[{}]:{}", replica->id == 0 ? '*' : ' ', role.role, replica->id,
                       replica_text(*replica));
  }
  return out;
}

json::array roles_json(const Description& app, const std::vector<std::string>& filter_roles) {
  json::array out;
  for (const RoleStatus& role : app.roles) {
    if (!is_chosen(role, filter_roles)) continue;
    json::array replicas;
    for (const ReplicaStatus& replica : role.replicas) {
      replicas.push_back(
          json::object{{"id", replica.id},
                       {"state", upper_name(replica.state)},
                       {"role", role.role},
                       {"hostname", replica.hostname},
                       {"structured_error_msg", or_none(replica.structured_error_json)}});
    }
    out.push_back(json::object{{"role", role.role}, {"replicas", std::move(replicas)}});
  }
  return out;
}

json::value url_json(const Description& app) {
  return app.ui_url.empty() ? json::value() : json::value(app.ui_url);
}

}  // namespace

std::string AppStatus::format(const std::vector<std::string>& filter_roles) const {
  std::string roles;
  for (const RoleStatus& role : description.roles) {
    if (is_chosen(role, filter_roles)) roles += role_text(role);
  }
  return fmt::format(
      "AppStatus:\n    State: {}\n    Num Restarts: {}\n    Roles: {}\n    Msg: {}\n"
      "    Structured Error Msg: {}\n    UI URL: {}\n    ",
      upper_name(description.state), description.num_restarts, roles, description.msg,
      or_none(description.structured_error_json),
      description.ui_url.empty() ? "None" : description.ui_url);
}

std::string AppStatus::to_json(const std::vector<std::string>& filter_roles) const {
  json::object out;
  out["state"] = upper_name(description.state);
  out["num_restarts"] = description.num_restarts;
  out["roles"] = roles_json(description, filter_roles);
  out["msg"] = description.msg;
  out["structured_error_msg"] = or_none(description.structured_error_json);
  out["url"] = url_json(description);
  return json::serialize(out);
}

void AppStatus::raise_for_status() const {
  if (description.state == AppState::kSucceeded) return;
  const std::string why = failure_text(description);
  throw AppStatusError(*this,
                       fmt::format("{} did not succeed, it is {}{}{}", slipway::to_string(handle),
                                   upper_name(description.state), why.empty() ? "" : ": ", why));
}

std::string to_string(const AppStatus& status) {
  const Description& app = status.description;
  json::value error = or_none(app.structured_error_json).c_str();
  boost::system::error_code not_json;
  json::value parsed = json::parse(app.structured_error_json, not_json);
  if (!not_json) error = std::move(parsed);
  return "AppStatus:\n" + yaml_text({{"msg", app.msg},
                                     {"num_restarts", app.num_restarts},
                                     {"roles", roles_json(app, {})},
                                     {"state", fmt::format("{} ({})", upper_name(app.state),
                                                           static_cast<std::int32_t>(app.state))},
                                     {"structured_error_msg", std::move(error)},
                                     {"ui_url", url_json(app)}},
                                    2);
}

}  // namespace slipway
