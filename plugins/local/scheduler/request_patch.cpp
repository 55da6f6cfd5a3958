// Changes a LocalRequest through its JSON form.
#include <boost/json.hpp>
#include <map>

#include "plugins/local/scheduler/local_request.hpp"
#include "sdk/support/deep_json.hpp"
#include "slipway/error.hpp"

namespace slipway::local {

namespace {

namespace json = boost::json;

json::value parse(std::string_view text, const char* what) {
  boost::system::error_code error;
  json::value value = parse_deep_json(text, error);
  if (error) throw Error(Code::kInvalid, std::string(what) + " is not JSON: " + error.message());
  return value;
}

/// Merges `patch` into `target` as RFC 7386 says.
void merge(json::value& target, const json::value& patch) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  if (!target.is_object()) target.emplace_object();
  for (const auto& [key, value] : patch.get_object()) {
    if (value.is_null()) {
      target.get_object().erase(key);
    } else {
      merge(target.get_object()[key], value);
    }
  }
}

[[noreturn]] void refuse(const std::string& what) {
  throw Error(
      Code::kInvalid, "the changed request is not valid: " + what,
      "args, env and cwd of a replica may change; its log files, the app id and the number of "
      "replicas may not");
}

std::string text_of(const json::value& value, const std::string& where) {
  if (!value.is_string()) refuse(where + " is not a string");
  return std::string(value.get_string());
}

/// Returns the group of one replica from the JSON. Fields that may not change come from `original`.
LaunchGroup group_of(const json::value& replica, const LaunchGroup& original, std::int32_t id,
                     const std::string& where) {
  if (!replica.is_object()) refuse(where + " is not an object");
  const json::object& object = replica.get_object();
  LaunchGroup out;
  out.role = original.role;
  out.img_root = original.img_root;
  out.rules = original.rules;
  out.needs = original.needs;
  out.first_replica = id;
  out.count = 1;
  for (const auto& [key, value] : object) {
    if (key == "args" && value.is_array()) {
      for (const json::value& arg : value.get_array())
        out.argv.push_back(text_of(arg, where + ".args"));
    } else if (key == "env" && value.is_object()) {
      for (const auto& [name, content] : value.get_object()) {
        out.env.emplace_back(std::string(name), text_of(content, where + ".env"));
      }
    } else if (key == "cwd") {
      out.cwd = text_of(value, where + ".cwd");
    } else if (key != "stdout" && key != "stderr" && key != "combined") {
      refuse(where + "." + std::string(key) + " is unknown or of the wrong type");
    }
  }
  if (out.argv.empty()) refuse(where + ".args is missing or empty");
  if (out.cwd.empty()) refuse(where + ".cwd is missing or empty");
  return out;
}

/// Refuses a replica whose log files are not those of `before`.
void require_same_logs(const json::object& before, const json::object& after,
                       const std::string& where) {
  for (const char* stream : {"stdout", "stderr", "combined"}) {
    // A patch removes a member that it sets to null, which is the value without combined.log.
    const json::value* log = after.if_contains(stream);
    if ((log != nullptr ? *log : json::value()) != before.at(stream))
      refuse(where + '.' + stream + " has changed");
  }
}

}  // namespace

void LocalRequest::patch(std::string_view patch_json) {
  std::string text;
  print_json([&](std::string_view piece) { text.append(piece); });
  const json::value before = parse(text, "the request");
  json::value after = before;
  merge(after, parse(patch_json, "the patch"));
  if (!after.is_object()) refuse("it is not an object");
  const json::object& object = after.get_object();
  for (const auto& [key, value] : before.get_object()) {
    if (!object.contains(key)) refuse(std::string(key) + " is missing");
    if (key != "role_params" && object.at(key) != value) refuse(std::string(key) + " has changed");
  }
  if (object.size() != before.get_object().size()) refuse("it has unknown keys");
  if (!object.at("role_params").is_object()) refuse("role_params is not an object");
  const json::object& roles = object.at("role_params").get_object();
  const json::object& roles_before = before.at("role_params").get_object();

  std::vector<LaunchGroup> groups;
  std::map<std::string, std::size_t> used;  // replicas read, by role
  each_replica([&](const LaunchGroup& group, std::int32_t id, const ReplicaCommand&) {
    const auto role = roles.find(group.role);
    if (role == roles.end() || !role->value().is_array())
      refuse("role_params." + group.role + " is missing or not a list");
    const json::array& replicas = role->value().get_array();
    const std::size_t index = used[group.role]++;
    if (index >= replicas.size()) refuse("role_params." + group.role + " is shorter than before");
    const std::string where = "role_params." + group.role + "[" + std::to_string(index) + "]";
    const json::value& replica = replicas[index];
    groups.push_back(group_of(replica, group, id, where));
    const json::value& replica_before = roles_before.at(group.role).get_array().at(index);
    require_same_logs(replica_before.get_object(), replica.get_object(), where);
  });
  for (const auto& [role, list] : roles) {
    const auto count = used.find(std::string(role));
    const std::size_t expected = count != used.end() ? count->second : 0;
    if (!list.is_array() || list.get_array().size() != expected) {
      refuse("role_params." + std::string(role) + " has a different number of replicas");
    }
  }
  parts_.plan.groups = std::move(groups);
}

}  // namespace slipway::local
