#include "core/spec/app_json.hpp"

#include <utility>

#include "core/spec/app_file.hpp"
#include "core/spec/document.hpp"
#include "core/spec/role_table.hpp"

namespace slipway::spec {
namespace json = boost::json;
namespace {

json::object object_of(const Node& table) {
  json::object object;
  object.reserve(table.entries.size());
  for (const NodeEntry& entry : table.entries) object.emplace(entry.key, to_json(entry.value));
  return object;
}

}  // namespace

json::value to_json(const Node& node) {
  switch (node.type) {
    case NodeType::kNull: return nullptr;
    case NodeType::kBool: return node.boolean;
    case NodeType::kInt: return node.integer;
    case NodeType::kBigInt: return json::parse(node.text);
    case NodeType::kFloat: return node.real;
    case NodeType::kString:
    case NodeType::kDateTime: return json::value(json::string(node.text));
    case NodeType::kTable: return object_of(node);
    case NodeType::kList: break;
  }
  json::array array;
  array.reserve(node.items.size());
  for (const Node& item : node.items) array.push_back(to_json(item));
  return array;
}

json::object parse_object(std::string_view text, const std::string& what) {
  if (text.empty()) return {};
  try {
    const Node node = parse_json(text, what);
    if (node.type == NodeType::kTable) return object_of(node);
    throw Error(Code::kInvalid, what + ": expected a JSON object, found " + describe(node));
  } catch (const InvalidApp& invalid) {
    const Problem& why = invalid.problems().front();
    throw Error(Code::kInvalid, what + ": expected a JSON object: " + why.message);
  }
}

json::object to_json(const StrDict& dict) {
  json::object object;
  object.reserve(dict.size());
  for (const auto& [key, value] : dict) object.emplace(key, json::string(value));
  return object;
}

json::object to_json(const IntDict& dict) {
  json::object object;
  object.reserve(dict.size());
  for (const auto& [key, value] : dict) object.emplace(key, value);
  return object;
}

json::object to_json(const Resource& resource) {
  json::object object;
  object["cpu"] = resource.cpu;
  object["gpu"] = resource.gpu;
  object["memMB"] = resource.mem_mb;
  object["capabilities"] = parse_object(resource.capabilities_json, "capabilities");
  object["devices"] = to_json(resource.devices);
  object["tags"] = parse_object(resource.tags_json, "tags");
  return object;
}

json::object to_json(const Mount& mount) {
  json::object object;
  object["type"] = to_string(mount.kind);
  object[mount.kind == MountKind::kVolume ? "src" : "src_path"] = mount.src;
  object["dst_path"] = mount.dst;
  if (mount.kind == MountKind::kDevice) {
    object["permissions"] = mount.permissions;
  } else {
    object["read_only"] = mount.read_only;
  }
  return object;
}

json::object to_json(const Role& role) {
  json::object object;
  object["name"] = role.name;
  object["image"] = role.image;
  object["min_replicas"] = role.min_replicas ? json::value(*role.min_replicas) : json::value();
  if (!role.base_image.empty()) object["base_image"] = role.base_image;
  if (!role.deployment_preference.empty())
    object["deployment_preference"] = role.deployment_preference;
  object["entrypoint"] = role.entrypoint;
  json::array& args = object["args"].emplace_array();
  for (const std::string& arg : role.args) args.emplace_back(arg);
  object["env"] = to_json(role.env);
  object["num_replicas"] = role.num_replicas;
  object["max_retries"] = role.max_retries;
  object["retry_policy"] = to_string(role.retry_policy);
  object["resource"] = to_json(role.resource);
  object["port_map"] = to_json(role.port_map);
  object["metadata"] = parse_object(role.metadata_json, "metadata");
  json::array& mounts = object["mounts"].emplace_array();
  for (const Mount& mount : role.mounts) mounts.emplace_back(to_json(mount));
  return object;
}

json::object to_json(const AppDef& app) {
  json::object object;
  object["name"] = app.name;
  json::array& roles = object["roles"].emplace_array();
  for (const Role& role : app.roles) roles.emplace_back(to_json(role));
  object["metadata"] = to_json(app.metadata);
  return object;
}

AppDef app_from_json(std::string_view text, const std::string& source_name) {
  return read_app_json(text, source_name).app;
}

AppDef app_from_json(const json::object& app, const std::string& source_name) {
  return app_from_json(json::serialize(app), source_name);
}

Role role_from_json(const json::object& object, const std::string& source_name) {
  ProblemList problems;
  FieldReader reader(source_name, problems);
  Node table = parse_json(json::serialize(object), source_name);
  Role role;
  RoleMarks marks;
  std::string resource_name;
  read_role(table, KeyPath(), reader, role, marks, resource_name);
  problems.throw_if_errors();
  return role;
}

}  // namespace slipway::spec
