#include "core/spec/role_table.hpp"

#include <array>
#include <optional>
#include <utility>

#include "core/spec/known_keys.hpp"
#include "core/spec/mounts.hpp"
#include "core/spec/near_name.hpp"

namespace slipway::spec {
namespace {

// Returns the value of that name, or adds a problem that lists all names.
template <class Value, std::size_t N>
std::optional<Value> one_of(Node& node, const KeyPath& path, FieldReader& reader,
                            const std::array<Value, N>& values) {
  std::vector<std::string_view> names;
  std::string listed;
  for (const Value value : values) {
    names.emplace_back(to_string(value));
    listed += (listed.empty() ? "" : ", ") + std::string(to_string(value));
  }
  std::string text;
  if (!reader.string(node, path, text)) return std::nullopt;
  for (const Value value : values) {
    if (text == to_string(value)) return value;
  }
  reader.error(node.at, path, "expected one of " + listed + ", found " + quoted(text),
               did_you_mean(text, names));
  return std::nullopt;
}

void read_mount_table(Node& table, const KeyPath& path, FieldReader& reader,
                      std::vector<Mount>& out) {
  Mount mount;
  bool ok = true;
  bool has_type = false;
  bool has_src = false;
  bool has_dst = false;
  for (NodeEntry& entry : table.entries) {
    const KeyPath here(path, entry.key);
    Node& value = entry.value;
    if (entry.key == "type") {
      has_type = true;
      const auto kind =
          one_of(value, here, reader,
                 std::array{MountKind::kBind, MountKind::kVolume, MountKind::kDevice});
      ok = ok && kind.has_value();
      mount.kind = kind.value_or(mount.kind);
    } else if (entry.key == "src" || entry.key == "src_path") {
      if (has_src)
        reader.error(entry.key_at, here, "src and src_path say the same thing",
                     "remove one of them", rule::kDuplicateField);
      has_src = true;
      ok = reader.string(value, here, mount.src) && ok;
    } else if (entry.key == "dst" || entry.key == "dst_path") {
      if (has_dst)
        reader.error(entry.key_at, here, "dst and dst_path say the same thing",
                     "remove one of them", rule::kDuplicateField);
      has_dst = true;
      ok = reader.string(value, here, mount.dst) && ok;
    } else if (entry.key == "read_only") {
      ok = reader.boolean(value, here, mount.read_only) && ok;
    } else if (entry.key == "permissions") {
      ok = reader.string(value, here, mount.permissions) && ok;
    } else {
      reader.unknown_key(entry, here, mount_keys());
    }
  }
  const auto missing = [&](const char* key) {
    reader.error(table.at, KeyPath(path, std::string_view(key)), "missing", {},
                 rule::kMissingField);
    ok = false;
  };
  if (!has_type) missing("type");
  if (!has_src) missing("src_path");
  if (!has_dst && mount.kind == MountKind::kDevice) {
    mount.dst = mount.src;
  } else if (!has_dst) {
    missing("dst_path");
  }
  if (ok) out.push_back(std::move(mount));
}

void read_mounts(Node& list, const KeyPath& path, FieldReader& reader, Role& out,
                 RoleMarks& marks) {
  if (!reader.list(list, path, "mounts")) return;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    Node& item = list.items[i];
    const KeyPath here(path, i);
    if (item.type == NodeType::kTable) {
      read_mount_table(item, here, reader, out.mounts);
    } else if (item.type == NodeType::kString) {
      try {
        for (Mount& mount : parse_mount_string(item.text)) out.mounts.push_back(std::move(mount));
        for (const char* off : {"readonly=false", "read_only=false", "readonly=0", "read_only=0"}) {
          if (item.text.find(off) == std::string::npos) continue;
          reader.warning(item.at, here, quoted(off) + " also means read only", "leave it out",
                         rule::kMountReadOnly);
        }
      } catch (const Error& error) {
        reader.error(item.at, here, error.message(), error.hint(), rule::kInvalidMount);
      }
    } else {
      reader.wrong_type(item, here, "a mount", "write \"type=bind,src=…,dst=…\" or a table");
    }
    marks.mounts.resize(out.mounts.size(), item.at);
  }
}

void read_field(NodeEntry& entry, const KeyPath& here, FieldReader& reader, Role& out,
                RoleMarks& marks, std::string& resource_name) {
  const std::string_view key = entry.key;
  Node& value = entry.value;
  if (key == "name") {
    reader.string(value, here, out.name);
  } else if (key == "image") {
    reader.string(value, here, out.image);
  } else if (key == "base_image") {
    if (value.type != NodeType::kNull) reader.string(value, here, out.base_image);
  } else if (key == "entrypoint") {
    reader.string(value, here, out.entrypoint);
  } else if (key == "args") {
    reader.string_list(value, here, out.args, marks.args);
  } else if (key == "env") {
    reader.string_dict(value, here, out.env, marks.env);
  } else if (key == "num_replicas") {
    reader.int32(value, here, out.num_replicas);
  } else if (key == "min_replicas") {
    std::int32_t count = 0;
    if (value.type != NodeType::kNull && reader.int32(value, here, count)) out.min_replicas = count;
  } else if (key == "max_retries") {
    reader.int32(value, here, out.max_retries);
  } else if (key == "retry_policy") {
    const auto policy =
        one_of(value, here, reader,
               std::array{RetryPolicy::kApplication, RetryPolicy::kReplica, RetryPolicy::kRole});
    out.retry_policy = policy.value_or(out.retry_policy);
  } else if (key == "resource") {
    if (value.type == NodeType::kString) {
      resource_name = std::move(value.text);
      if (resource_name.empty()) reader.error(value.at, here, "the resource has an empty name");
    } else if (value.type == NodeType::kTable) {
      read_resource(value, here, reader, out.resource, marks.resource);
    } else if (value.type != NodeType::kNull) {
      reader.wrong_type(value, here, "the name of a resource or a table");
    }
  } else if (key == "port_map") {
    reader.int_dict(value, here, out.port_map, marks.port_map);
  } else if (key == "metadata") {
    reader.json_object(value, here, out.metadata_json);
  } else if (key == "mounts") {
    read_mounts(value, here, reader, out, marks);
  } else if (key == "deployment_preference") {
    if (value.type != NodeType::kNull) reader.string(value, here, out.deployment_preference);
  } else if (key == "overrides") {
    // Newer TorchX versions keep this field for the scheduler's own use; their asdict() writes it
    // even when it is empty.
    const bool empty =
        value.type == NodeType::kNull || (value.type == NodeType::kTable && value.entries.empty());
    if (!empty)
      reader.warning(entry.key_at, here, "ignored", "Slipway has no overrides",
                     rule::kIgnoredField);
  } else {
    reader.unknown_key(entry, here, role_keys());
    return;
  }
}

}  // namespace

void read_role(Node& table, const KeyPath& path, FieldReader& reader, Role& out, RoleMarks& marks,
               std::string& resource_name) {
  marks.role = table.at;
  if (!reader.table(table, path)) return;
  marks.fields.reserve(table.entries.size());
  for (NodeEntry& entry : table.entries) {
    marks.fields.emplace_back(entry.key, entry.value.at);
    read_field(entry, KeyPath(path, entry.key), reader, out, marks, resource_name);
  }
}

}  // namespace slipway::spec
