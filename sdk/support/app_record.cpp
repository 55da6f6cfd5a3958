#include "sdk/support/app_record.hpp"

#include <boost/json.hpp>

#include "slipway/error.hpp"

namespace slipway::records {

namespace {

namespace json = boost::json;

json::value object_of(const std::string& text) {
  if (text.empty()) return json::object();
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  return error ? json::value(json::object()) : value;
}

template <class T>
json::object dict(const Dict<T>& from) {
  json::object out;
  for (const auto& [key, value] : from) out[key] = value;
  return out;
}

json::object mount_to_json(const Mount& mount) {
  json::object out;
  out["type"] = to_string(mount.kind);
  out["src"] = mount.src;
  out["dst"] = mount.dst;
  out["read_only"] = mount.read_only;
  out["permissions"] = mount.permissions;
  return out;
}

json::object role_to_json(const Role& role) {
  json::object out;
  out["name"] = role.name;
  out["image"] = role.image;
  out["base_image"] = role.base_image;
  out["entrypoint"] = role.entrypoint;
  out["args"] = json::array(role.args.begin(), role.args.end());
  out["env"] = dict(role.env);
  out["num_replicas"] = role.num_replicas;
  if (role.min_replicas) out["min_replicas"] = *role.min_replicas;
  out["max_retries"] = role.max_retries;
  out["retry_policy"] = to_string(role.retry_policy);
  out["resource"] = json::object{{"cpu", role.resource.cpu},
                                 {"gpu", role.resource.gpu},
                                 {"memMB", role.resource.mem_mb},
                                 {"capabilities", object_of(role.resource.capabilities_json)},
                                 {"devices", dict(role.resource.devices)},
                                 {"tags", object_of(role.resource.tags_json)}};
  out["port_map"] = dict(role.port_map);
  out["metadata"] = object_of(role.metadata_json);
  json::array mounts;
  for (const Mount& mount : role.mounts) mounts.push_back(mount_to_json(mount));
  out["mounts"] = std::move(mounts);
  return out;
}

// ---- From JSON. The accessors throw if a record is not what app_to_json() wrote.

std::string text(const json::object& from, const char* key) {
  return std::string(from.at(key).as_string());
}
std::int32_t number(const json::object& from, const char* key) {
  return from.at(key).to_number<std::int32_t>();
}

std::string object_text(const json::object& from, const char* key) {
  const json::object& object = from.at(key).as_object();
  return object.empty() ? std::string() : json::serialize(object);
}

StrDict strings(const json::object& from) {
  StrDict out;
  for (const auto& [key, value] : from)
    out.emplace_back(std::string(key), std::string(value.as_string()));
  return out;
}

IntDict numbers(const json::object& from) {
  IntDict out;
  for (const auto& [key, value] : from)
    out.emplace_back(std::string(key), value.to_number<std::int64_t>());
  return out;
}

Mount mount_from_json(const json::object& from) {
  Mount out;
  const std::string kind = text(from, "type");
  out.kind = kind == "volume"   ? MountKind::kVolume
             : kind == "device" ? MountKind::kDevice
                                : MountKind::kBind;
  out.src = text(from, "src");
  out.dst = text(from, "dst");
  out.read_only = from.at("read_only").as_bool();
  out.permissions = text(from, "permissions");
  return out;
}

Role role_from_json(const json::object& from) {
  Role out(text(from, "name"));
  out.image = text(from, "image");
  out.base_image = text(from, "base_image");
  out.entrypoint = text(from, "entrypoint");
  for (const json::value& arg : from.at("args").as_array()) out.args.emplace_back(arg.as_string());
  out.env = strings(from.at("env").as_object());
  out.num_replicas = number(from, "num_replicas");
  if (from.contains("min_replicas")) out.min_replicas = number(from, "min_replicas");
  out.max_retries = number(from, "max_retries");
  const std::string policy = text(from, "retry_policy");
  out.retry_policy = policy == "REPLICA" ? RetryPolicy::kReplica
                     : policy == "ROLE"  ? RetryPolicy::kRole
                                         : RetryPolicy::kApplication;
  const json::object& resource = from.at("resource").as_object();
  out.resource.cpu = number(resource, "cpu");
  out.resource.gpu = number(resource, "gpu");
  out.resource.mem_mb = resource.at("memMB").to_number<std::int64_t>();
  out.resource.capabilities_json = object_text(resource, "capabilities");
  out.resource.devices = numbers(resource.at("devices").as_object());
  out.resource.tags_json = object_text(resource, "tags");
  out.port_map = numbers(from.at("port_map").as_object());
  out.metadata_json = object_text(from, "metadata");
  for (const json::value& mount : from.at("mounts").as_array())
    out.mounts.push_back(mount_from_json(mount.as_object()));
  return out;
}

[[noreturn]] void damaged(const std::string& why) {
  throw Error(Code::kInvalid, "the record of the app is damaged: spec.json: " + why,
              "status, log and cancel work without it");
}

}  // namespace

std::string app_to_json(const AppDef& app) {
  json::array roles;
  for (const Role& role : app.roles) roles.push_back(role_to_json(role));
  json::object out;
  out["name"] = app.name;
  out["roles"] = std::move(roles);
  out["metadata"] = dict(app.metadata);
  return json::serialize(out);
}

AppDef app_from_json(std::string_view record) {
  boost::system::error_code problem;
  const json::value value = json::parse(json::string_view(record.data(), record.size()), problem);
  if (problem) damaged("it is not JSON: " + problem.message());
  try {
    const json::object& from = value.as_object();
    AppDef out(text(from, "name"));
    for (const json::value& role : from.at("roles").as_array())
      out.roles.push_back(role_from_json(role.as_object()));
    out.metadata = strings(from.at("metadata").as_object());
    return out;
  } catch (const std::exception&) {
    // Not the library's message: it names its own source file and not the record.
    damaged("a field is missing or has the wrong type");
  }
}

}  // namespace slipway::records
