// How a LocalRequest looks to a person and as JSON.
#include <vector>

#include "plugins/local/scheduler/local_request.hpp"
#include "plugins/local/scheduler/needs_text.hpp"
#include "sdk/support/shell_words.hpp"
#include "slipway/json_text.hpp"

namespace slipway::local {

namespace {

std::string json_of(const ReplicaCommand& command, bool has_combined) {
  std::string out = "{\"args\":[";
  for (std::size_t i = 0; i < command.args.size(); ++i)
    out += (i == 0 ? "" : ",") + json_quote(command.args[i]);
  out += "],\"env\":{";
  for (std::size_t i = 0; i < command.env.size(); ++i) {
    out += (i == 0 ? "" : ",") + json_quote(command.env[i].first) + ":" +
           json_quote(command.env[i].second);
  }
  out += "},\"stdout\":" + json_quote(command.log_dir + "/stdout.log");
  out += ",\"stderr\":" + json_quote(command.log_dir + "/stderr.log");
  out += ",\"combined\":" + (has_combined ? json_quote(command.log_dir + "/combined.log") : "null");
  out += ",\"cwd\":" + json_quote(command.cwd) + "}";
  return out;
}

/// The app's role names in order, each once: roles of one name share an entry, as in TorchX's
/// dictionaries.
std::vector<std::string> role_names(const AppDef& app) {
  std::vector<std::string> out;
  for (const Role& role : app.roles) {
    bool known = false;
    for (const std::string& name : out) known = known || name == role.name;
    if (!known) out.push_back(role.name);
  }
  return out;
}

/// `"name": [item, ...]` for each role, the items made from its replicas.
template <class Item>
void print_by_role(const LocalRequest& request, const Request::Sink& sink, Item item) {
  bool first_role = true;
  for (const std::string& role : role_names(request.app())) {
    sink((first_role ? "" : ",") + json_quote(role) + ":[");
    first_role = false;
    bool first = true;
    const auto print = [&](const LaunchGroup&, std::int32_t, const ReplicaCommand& command) {
      sink((first ? "" : ",") + item(command));
      first = false;
    };
    request.each_replica(print, &role);
    sink("]");
  }
}

}  // namespace

void LocalRequest::print_json(const Sink& sink) const {
  sink("{\"app_id\":" + json_quote(parts_.plan.app_id) +
       ",\"log_dir\":" + json_quote(parts_.plan.log_dir));
  sink(",\"role_params\":{");
  print_by_role(*this, sink, [this](const ReplicaCommand& command) {
    return json_of(command, parts_.plan.logs.combined);
  });
  sink("},\"role_log_dirs\":{");
  print_by_role(*this, sink,
                [](const ReplicaCommand& command) { return json_quote(command.log_dir); });
  sink("}}");
}

void LocalRequest::print_text(const Sink& sink) const {
  sink("app id:  " + parts_.plan.app_id + "\nlogs in: " + parts_.plan.log_dir + "\n");
  each_replica([&](const LaunchGroup& group, std::int32_t replica, const ReplicaCommand& command) {
    std::string text = "\n" + group.role + "/" + std::to_string(replica) + "\n";
    text += "  run:  " + shell_joined(command.args) + "\n  in:   " + command.cwd + "\n";
    for (const auto& [key, value] : command.env) {
      // a PATH is put in front of the inherited one
      text += "  with: " + key + "=" + shell_quoted(value) + (key == "PATH" ? ":$PATH" : "") + "\n";
    }
    sink(text + needs_text(group));
  });
}

}  // namespace slipway::local
