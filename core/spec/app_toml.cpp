#include "core/spec/app_toml.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/spec/document.hpp"
#include "sdk/support/python_numbers.hpp"
#include "sdk/support/utf8.hpp"
#include "slipway/json_text.hpp"

namespace slipway::spec {
namespace {

constexpr std::size_t kMaxLine = 100;

// Quotes as JSON does: every escape of JSON is also an escape of TOML.
std::string text(const std::string& value) {
  if (find_invalid_utf8(value) != std::string_view::npos) {
    throw Error(Code::kInvalid, "cannot write " + quoted(value) + " as TOML: it is not UTF-8");
  }
  return json_quote(value);
}

std::string key(const std::string& name) {
  const auto bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), bare) ? name : text(name);
}

bool fits_toml(const Node& node) {
  if (node.type == NodeType::kNull || node.type == NodeType::kBigInt) return false;
  if (node.type == NodeType::kFloat && !std::isfinite(node.real)) return false;
  return std::all_of(node.items.begin(), node.items.end(), fits_toml) &&
         std::all_of(node.entries.begin(), node.entries.end(),
                     [](const NodeEntry& entry) { return fits_toml(entry.value); });
}

std::string braced(const std::string& inside) {
  return inside.empty() ? "{}" : "{ " + inside + " }";
}

std::string inline_value(const Node& node) {
  switch (node.type) {
    case NodeType::kTable: {
      std::string inside;
      for (const NodeEntry& entry : node.entries) {
        if (!inside.empty()) inside += ", ";
        inside += key(entry.key) + " = " + inline_value(entry.value);
      }
      return braced(inside);
    }
    case NodeType::kList: {
      std::string inside;
      for (const Node& item : node.items) {
        if (!inside.empty()) inside += ", ";
        inside += inline_value(item);
      }
      return '[' + inside + ']';
    }
    case NodeType::kString: return text(node.text);
    case NodeType::kFloat: return float_text(node.real);
    case NodeType::kBool: return node.boolean ? "true" : "false";
    default: return std::to_string(node.integer);
  }
}

// Returns `document` as an inline table, or as a string of JSON (which FieldReader::json_object()
// reads) if TOML cannot hold a value in it.
std::string json_table(const std::string& document, const char* what) {
  try {
    const Node node = parse_json(document, what);
    if (node.type != NodeType::kTable) {
      throw Error(Code::kInvalid,
                  std::string(what) + ": expected a JSON object, found " + describe(node));
    }
    return fits_toml(node) ? inline_value(node) : text(document);
  } catch (const InvalidApp& invalid) {
    throw Error(Code::kInvalid, std::string(what) + ": expected a JSON object: " +
                                    invalid.problems().front().message);
  }
}

template <class T>
std::string dict(const Dict<T>& entries) {
  std::string inside;
  for (const auto& [name, value] : entries) {
    if (!inside.empty()) inside += ", ";
    inside += key(name) + " = ";
    if constexpr (std::is_same_v<T, std::string>) {
      inside += text(value);
    } else {
      inside += std::to_string(value);
    }
  }
  return braced(inside);
}

std::string list(const std::vector<std::string>& items, std::size_t indent) {
  std::string line = "[";
  for (const std::string& item : items) line += (line.size() > 1 ? ", " : "") + item;
  line += ']';
  if (line.size() + indent <= kMaxLine) return line;
  line = "[\n";
  for (const std::string& item : items) line += "  " + item + ",\n";
  return line + ']';
}

std::string inline_resource(const Resource& resource) {
  std::string inside;
  const auto field = [&](const char* name, const std::string& value) {
    inside += (inside.empty() ? "" : ", ") + std::string(name) + " = " + value;
  };
  if (resource.cpu != -1) field("cpu", std::to_string(resource.cpu));
  if (resource.gpu != -1) field("gpu", std::to_string(resource.gpu));
  if (resource.mem_mb != -1) field("memMB", std::to_string(resource.mem_mb));
  if (!resource.capabilities_json.empty()) {
    field("capabilities", json_table(resource.capabilities_json, "capabilities"));
  }
  if (!resource.devices.empty()) field("devices", dict(resource.devices));
  if (!resource.tags_json.empty()) field("tags", json_table(resource.tags_json, "tags"));
  return inside.empty() ? inside : braced(inside);
}

std::string inline_mount(const Mount& mount) {
  const bool volume = mount.kind == MountKind::kVolume;
  std::string inside = "type = " + text(to_string(mount.kind)) +
                       (volume ? ", src = " : ", src_path = ") + text(mount.src) +
                       ", dst_path = " + text(mount.dst);
  if (mount.kind == MountKind::kDevice) {
    inside += ", permissions = " + text(mount.permissions);
  } else if (mount.read_only) {
    inside += ", read_only = true";
  }
  return braced(inside);
}

void append_env(const StrDict& env, std::string& out) {
  if (env.empty()) return;
  const std::string line = "env = " + dict(env);
  if (line.size() <= kMaxLine) {
    out += line + '\n';
    return;
  }
  out += "[roles.env]\n";
  for (const auto& [name, value] : env) out += key(name) + " = " + text(value) + '\n';
}

void append_role(const Role& role, std::string& out) {
  const auto field = [&](const char* name, const std::string& value) {
    out += std::string(name) + " = " + value + '\n';
  };
  const Role defaults;
  out += "\n[[roles]]\n";
  field("name", text(role.name));
  if (!role.image.empty()) field("image", text(role.image));
  if (!role.base_image.empty()) field("base_image", text(role.base_image));
  if (!role.deployment_preference.empty())
    field("deployment_preference", text(role.deployment_preference));
  if (role.entrypoint != defaults.entrypoint) field("entrypoint", text(role.entrypoint));
  if (!role.args.empty()) {
    std::vector<std::string> args;
    for (const std::string& arg : role.args) args.push_back(text(arg));
    field("args", list(args, std::string_view("args = ").size()));
  }
  if (role.num_replicas != defaults.num_replicas)
    field("num_replicas", std::to_string(role.num_replicas));
  if (role.min_replicas) field("min_replicas", std::to_string(*role.min_replicas));
  if (role.max_retries != defaults.max_retries)
    field("max_retries", std::to_string(role.max_retries));
  if (role.retry_policy != defaults.retry_policy)
    field("retry_policy", text(to_string(role.retry_policy)));
  if (const std::string resource = inline_resource(role.resource); !resource.empty())
    field("resource", resource);
  if (!role.port_map.empty()) field("port_map", dict(role.port_map));
  if (!role.mounts.empty()) {
    std::vector<std::string> mounts;
    for (const Mount& mount : role.mounts) mounts.push_back(inline_mount(mount));
    field("mounts", list(mounts, std::string_view("mounts = ").size()));
  }
  if (!role.metadata_json.empty()) field("metadata", json_table(role.metadata_json, "metadata"));
  append_env(role.env, out);  // last, because it may open a table
}

}  // namespace

std::string to_toml(const AppDef& app) {
  std::string out = "name = " + text(app.name) + '\n';
  if (!app.metadata.empty()) out += "metadata = " + dict(app.metadata) + '\n';
  if (app.roles.empty()) out += "roles = []\n";
  for (const Role& role : app.roles) append_role(role, out);
  return out;
}

}  // namespace slipway::spec
