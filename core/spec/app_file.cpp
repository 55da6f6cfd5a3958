#include "core/spec/app_file.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/spec/document_text.hpp"
#include "core/spec/fields.hpp"
#include "core/spec/known_keys.hpp"
#include "core/spec/mounts.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/other_tools.hpp"
#include "core/spec/resource_table.hpp"
#include "sdk/support/ascii_case.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/role_keys.hpp"
#include "slipway/app_fields.hpp"
#include "slipway/json_text.hpp"

namespace slipway::spec {
namespace {

// Reads the name of one of the values, or adds a problem that lists all names.
template <class Value, std::size_t N>
bool read_one_of(Node& node, const KeyPath& path, FieldReader& reader,
                 const std::array<Value, N>& values, Value& out) {
  std::vector<std::string_view> names;
  for (const Value value : values) names.emplace_back(to_string(value));
  std::string text;
  if (!reader.string(node, path, text)) return false;
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) {
    reader.error(node.at, path, "expected one of " + joined(names) + ", found " + quoted(text),
                 did_you_mean(text, names));
    return false;
  }
  out = values[static_cast<std::size_t>(found - names.begin())];
  return true;
}

// Reads a mount that is written as a table.
class MountReader {
 public:
  MountReader(const KeyPath& path, FieldReader& reader) : path_(path), reader_(reader) {}

  std::optional<Mount> run(Node& table) {
    for (NodeEntry& entry : table.entries) read(entry);
    require("type", table.at, "write type = \"bind\", \"volume\" or \"device\"");
    require("src_path", table.at, "write src = \"…\": the path or volume to mount");
    if (marks_.find("dst_path") == nullptr && mount_.kind == MountKind::kDevice) {
      mount_.dst = mount_.src;  // a device has the same path in the replica by default
    } else {
      require("dst_path", table.at, "write dst = \"…\": an absolute path in the replica");
    }
    return ok_ ? std::optional<Mount>(std::move(mount_)) : std::nullopt;
  }

 private:
  void read(NodeEntry& entry) {
    const KeyPath here(path_, entry.key);
    const bool known = with_field<Mount>(entry.key, [&](const auto& field) {
      if (marks_.find(field.key) != nullptr) {
        reader_.error(entry.key_at, here,
                      std::string(field.alias) + " and " + field.key + " say the same thing",
                      "remove one of them", rule::kDuplicateField);
        return;
      }
      TableMarks::Value& places = marks_.add(entry);
      places.key = field.key;
      ok_ = value(field.kind, entry.value, here, mount_.*field.member, places.items) && ok_;
    });
    if (!known) reader_.unknown_key(entry, here, known_keys<Mount>());
  }

  bool value(FieldKind, Node& node, const KeyPath& here, MountKind& out, std::vector<Mark>&) {
    return read_one_of(node, here, reader_,
                       std::array{MountKind::kBind, MountKind::kVolume, MountKind::kDevice}, out);
  }
  template <class Value>
  bool value(FieldKind kind, Node& node, const KeyPath& here, Value& out,
             std::vector<Mark>& items) {
    return reader_.field(kind, node, here, out, items);
  }

  void require(const char* key, Mark at, const char* hint) {
    if (marks_.find(key) != nullptr) return;
    reader_.error(at, KeyPath(path_, std::string_view(key)), "missing", hint, rule::kMissingField);
    ok_ = false;
  }

  const KeyPath& path_;
  FieldReader& reader_;
  TableMarks marks_;
  Mount mount_;
  bool ok_ = true;  // no field was missing or wrong so far
};

// Reads a role. Wrong values become problems and leave the default. Skips wrong items of args, env,
// ports and mounts, so that the marks stay parallel.
class RoleReader {
 public:
  /// `resource_name` receives the name if `resource` is a string.
  RoleReader(FieldReader& reader, Role& out, RoleMarks& marks, std::string& resource_name)
      : reader_(reader), out_(out), marks_(marks), resource_name_(resource_name) {}

  void run(Node& table, const KeyPath& path) {
    marks_.table = table.at;
    if (!reader_.table(table, path)) return;
    marks_.values.reserve(table.entries.size());
    for (NodeEntry& entry : table.entries) read(entry, KeyPath(path, entry.key));
    add_role_keys(table, path);
  }

 private:
  void read(NodeEntry& entry, const KeyPath& here) {
    TableMarks::Value& places = marks_.add(entry);
    const bool known = with_field<Role>(entry.key, [&](const auto& field) {
      value(field.kind, entry.value, here, out_.*field.member, places.items);
    });
    if (known) return;
    if (is_role_key(entry.key)) {
      const Node& value = entry.value;
      for (const NodeEntry& part : value.entries) places.items.push_back(part.key_at);
      for (const Node& item : value.items) places.items.push_back(item.at);
    } else if (entry.key == "overrides") {
      ignore_overrides(entry, here);
    } else {
      reader_.unknown_key(entry, here, known_keys<Role>(),
                          hint_for_role_key(entry.key, entry.value));
    }
  }

  // Moves the keys that TorchX does not have into the metadata.
  void add_role_keys(const Node& table, const KeyPath& path) {
    const Node* metadata = table.find("metadata");
    std::string added;
    for (const NodeEntry& entry : table.entries) {
      if (!is_role_key(entry.key) || entry.value.type == NodeType::kNull) continue;
      const KeyPath here(path, entry.key);
      const std::string name = std::string(kRoleKeyPrefix) + entry.key;
      if (metadata != nullptr && metadata->find(name) != nullptr) {
        reader_.error(entry.key_at, here,
                      entry.key + " and " + name + " in metadata say the same thing",
                      "remove one of them", rule::kDuplicateField);
        continue;
      }
      if (!reader_.finite(entry.value, here)) continue;
      added += (added.empty() ? "" : ",") + json_quote(name) + ":";
      append_json(entry.value, added);
    }
    if (added.empty()) return;
    std::string& all = out_.metadata_json;
    if (all.empty()) {
      all = "{" + added + "}";
    } else {
      all.insert(all.size() - 1, "," + added);  // before the closing brace
    }
  }

  // Newer TorchX versions keep this field for the scheduler's own use; their asdict() writes the
  // field even if it is empty.
  void ignore_overrides(const NodeEntry& entry, const KeyPath& here) {
    const Node& node = entry.value;
    if (node.type == NodeType::kNull || (node.type == NodeType::kTable && node.entries.empty()))
      return;
    reader_.warning(entry.key_at, here, "ignored", "Slipway has no overrides", rule::kIgnoredField);
  }

  void value(FieldKind, Node& node, const KeyPath& here, RetryPolicy& out, std::vector<Mark>&) {
    read_one_of(node, here, reader_,
                std::array{RetryPolicy::kApplication, RetryPolicy::kReplica, RetryPolicy::kRole},
                out);
  }

  void value(FieldKind, Node& node, const KeyPath& here, Resource& out, std::vector<Mark>&) {
    if (node.type == NodeType::kString) {
      resource_name_ = std::move(node.text);
      if (resource_name_.empty()) reader_.error(node.at, here, "the resource has an empty name");
    } else if (node.type == NodeType::kTable) {
      read_resource(node, here, reader_, out, marks_.resource);
    } else if (node.type != NodeType::kNull) {
      reader_.wrong_type(node, here, "the name of a resource or a table");
    }
  }

  void value(FieldKind, Node& node, const KeyPath& here, std::vector<Mount>& out,
             std::vector<Mark>& places) {
    if (!reader_.list(node, here, "mounts")) return;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      Node& item = node.items[i];
      const KeyPath item_path(here, i);
      if (item.type == NodeType::kTable) {
        if (auto mount = MountReader(item_path, reader_).run(item))
          out.push_back(std::move(*mount));
      } else if (item.type == NodeType::kString) {
        mount_text(item, item_path, out);
      } else {
        reader_.wrong_type(item, item_path, "a mount",
                           "write \"type=bind,src=…,dst=…\" or a table");
      }
      places.resize(out.size(), item.at);
    }
  }

  void mount_text(const Node& item, const KeyPath& here, std::vector<Mount>& out) {
    try {
      for (Mount& mount : parse_mount_string(item.text)) out.push_back(std::move(mount));
      warn_of_read_only(item, here);
    } catch (const Error& error) {
      reader_.error(item.at, here, error.message(), error.hint(), rule::kInvalidMount);
    }
  }

  /// Warns of values that seem to make the mount writable: each value means read only.
  void warn_of_read_only(const Node& item, const KeyPath& here) {
    for (const std::string& option : mount_options(item.text)) {
      const std::size_t equals = option.find('=');
      const std::string name = option.substr(0, equals);
      if (equals == std::string::npos || (name != "readonly" && name != "read_only")) continue;
      const std::string value = lower_case(option.substr(equals + 1));
      if (value.empty() || value == "true" || value == "1" || value == "yes" || value == "on")
        continue;
      reader_.warning(item.at, here, quoted(option) + " also means read only", "leave it out",
                      rule::kMountReadOnly);
    }
  }

  template <class Value>
  void value(FieldKind kind, Node& node, const KeyPath& here, Value& out,
             std::vector<Mark>& items) {
    reader_.field(kind, node, here, out, items);
  }

  FieldReader& reader_;
  Role& out_;
  RoleMarks& marks_;
  std::string& resource_name_;
};

void read_roles(Node& list, const KeyPath& path, FieldReader& reader, AppFile& file) {
  if (list.type == NodeType::kTable)
    return reader.wrong_type(list, path, "a list of roles", hint_for_roles_table(list));
  if (!reader.list(list, path, "roles")) return;
  const std::size_t count = list.items.size();
  file.app.roles.resize(count);
  file.marks.resize(count);
  file.resource_names.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    RoleReader(reader, file.app.roles[i], file.marks[i], file.resource_names[i])
        .run(list.items[i], KeyPath(path, i));
  }
}

// Reads [options.SCHEDULER] into the metadata of the app, as JSON: only the scheduler, which may
// not be chosen yet, declares the types of its options.
void read_options(Node& schedulers, const KeyPath& path, FieldReader& reader, AppFile& file) {
  if (!reader.table(schedulers, path)) return;
  for (NodeEntry& entry : schedulers.entries) {
    const KeyPath here(path, entry.key);
    if (!reader.table(entry.value, here) || !reader.finite(entry.value, here)) continue;
    const std::string name = std::string(kAppOptionsPrefix) + entry.key;
    if (find(file.app.metadata, name) != nullptr) {
      reader.error(entry.key_at, here, "the metadata also has " + name, "remove one of them",
                   rule::kDuplicateField);
      continue;
    }
    for (const NodeEntry& option : entry.value.entries)
      file.options.push_back({entry.key, option.key, option.key_at});
    std::string text;
    append_json(entry.value, text);
    set(file.app.metadata, name, std::move(text));
  }
}

}  // namespace

AppFile read_app_document(Node document, const std::string& source_name, ProblemList& problems) {
  AppFile file;
  file.source = source_name;
  FieldReader reader(source_name, problems);
  const KeyPath path;
  if (document.type != NodeType::kTable)
    refuse(source_name, document.at, "expected a table, found " + describe(document));
  if (document.entries.empty()) {
    refuse(source_name, Mark{1, 1}, "the file has no keys",
           "an app needs a name and at least one role");
  }
  for (NodeEntry& entry : document.entries) {
    const KeyPath here(path, entry.key);
    TableMarks::Value& places = file.places.add(entry);
    const bool known = with_field<AppDef>(entry.key, [&](const auto& field) {
      auto& member = file.app.*field.member;
      if constexpr (std::is_same_v<decltype(member), std::vector<Role>&>) {
        places.at = entry.key_at;
        read_roles(entry.value, here, reader, file);
      } else {
        reader.field(field.kind, entry.value, here, member, places.items);
      }
    });
    if (!known && entry.key != kOptionsKey)
      reader.unknown_key(entry, here, known_keys<AppDef>(),
                         hint_for_app_key(entry.key, entry.value));
  }
  const auto options =
      std::find_if(document.entries.begin(), document.entries.end(),
                   [](const NodeEntry& entry) { return entry.key == kOptionsKey; });
  // Reads the options last, because they go into the metadata, which may follow them in the file.
  if (options != document.entries.end())
    read_options(options->value, KeyPath(path, std::string_view(kOptionsKey)), reader, file);
  return file;
}

}  // namespace slipway::spec
