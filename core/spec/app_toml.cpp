#include "core/spec/app_toml.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/spec/document.hpp"
#include "core/spec/toml_text.hpp"
#include "sdk/support/role_keys.hpp"
#include "sdk/support/utf8.hpp"
#include "slipway/app_fields.hpp"
#include "slipway/json_text.hpp"

namespace slipway::spec {
namespace {

constexpr std::size_t kMaxLine = 100;  // bytes; longer lists and text tables go over several lines
// The level of JSON in the deepest field that has it: roles, a role, its resource, capabilities.
constexpr int kJsonLevel = 4;
constexpr std::string_view kReadOnly = "read_only";

// Returns `value`. Throws Error(kInvalid) if it is not UTF-8.
const std::string& utf8(const std::string& value) {
  if (find_invalid_utf8(value) != std::string_view::npos) {
    throw Error(Code::kInvalid, "cannot write " + quoted(value) + " as TOML: it is not UTF-8");
  }
  return value;
}

std::string text(const std::string& value) { return json_quote(utf8(value)); }

std::string key(const std::string& name) { return toml_key(utf8(name)); }

// Returns whether an app file in TOML can hold the value: TOML has no null and only numbers of 64
// bits, and parse_toml() reads at most kMaxDepth levels.
bool fits_toml(const Node& node, int level = kJsonLevel) {
  if (level > kMaxDepth) return false;
  if (node.type == NodeType::kNull || node.type == NodeType::kBigInt) return false;
  if (node.type == NodeType::kFloat && !std::isfinite(node.real)) return false;
  return std::all_of(node.items.begin(), node.items.end(),
                     [&](const Node& item) { return fits_toml(item, level + 1); }) &&
         std::all_of(node.entries.begin(), node.entries.end(),
                     [&](const NodeEntry& entry) { return fits_toml(entry.value, level + 1); });
}

// Returns `document` as an inline table, or as a string of JSON (which FieldReader::json_object()
// reads) if an app file in TOML cannot hold a value in it.
std::string json_table(const std::string& document, std::string_view key) {
  const std::string what(key);
  try {
    const Node node = parse_json(document, what);
    if (node.type != NodeType::kTable) {
      throw Error(Code::kInvalid, what + ": expected a JSON object, found " + describe(node));
    }
    return fits_toml(node) ? toml_text(node) : text(document);
  } catch (const InvalidApp& invalid) {
    throw Error(Code::kInvalid,
                what + ": expected a JSON object: " + invalid.problems().front().message);
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
  return toml_braces(inside);
}

// Returns the list on one line, or an item a line if it would be too long. `indent` is the length
// of the text before the list.
std::string list(const std::vector<std::string>& items, std::size_t indent) {
  std::string line = "[";
  for (const std::string& item : items) line += (line.size() > 1 ? ", " : "") + item;
  line += ']';
  if (line.size() + indent <= kMaxLine) return line;
  line = "[\n";
  for (const std::string& item : items) line += "  " + item + ",\n";
  return line + ']';
}

// Returns the value of a field as TOML. `key` is the field's key, for errors and for the layout.
template <class T>
std::string value_text(const T& value, FieldKind kind, std::string_view key);

// Returns an inline table with the fields of a resource or mount that must be written, or an empty
// text if there are none.
template <class Struct>
std::string inline_table(const Struct& source) {
  const Struct defaults;
  std::string inside;
  each_field<Struct>([&](const auto& field) {
    const auto& value = source.*field.member;
    const char* name = field.key;
    if constexpr (std::is_same_v<Struct, Mount>) {
      name = mount_key(source.kind, field.key);
      if (name == nullptr || (name == kReadOnly && !source.read_only)) return;
    } else if (value == defaults.*field.member) {
      return;
    }
    inside += (inside.empty() ? "" : ", ") + std::string(name) + " = " +
              value_text(value, field.kind, field.key);
  });
  return inside.empty() ? inside : toml_braces(inside);
}

template <class T>
std::string value_text(const T& value, FieldKind kind, std::string_view key) {
  if constexpr (std::is_same_v<T, std::string>) {
    return kind == FieldKind::kJsonObject ? json_table(value, key) : text(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else if constexpr (std::is_same_v<T, std::optional<std::int32_t>>) {
    return std::to_string(*value);
  } else if constexpr (std::is_same_v<T, CpuCount>) {
    return to_string(value);
  } else if constexpr (std::is_enum_v<T>) {
    return text(to_string(value));
  } else if constexpr (std::is_same_v<T, StrDict> || std::is_same_v<T, IntDict>) {
    return dict(value);
  } else if constexpr (std::is_same_v<T, Resource>) {
    return inline_table(value);
  } else {
    std::vector<std::string> items;
    for (const auto& item : value) {
      if constexpr (std::is_same_v<T, StrList>) {
        items.push_back(text(item));
      } else {
        items.push_back(inline_table(item));
      }
    }
    return list(items, key.size() + std::string_view(" = ").size());
  }
}

template <class T>
bool is_default(const T& value, const T& initial) {
  return value == initial;
}
// Mounts cannot be compared.
bool is_default(const std::vector<Mount>& value, const std::vector<Mount>&) {
  return value.empty();
}

// Returns a table of texts on one line, or with the header `[header]` if the line would be too
// long.
std::string text_table(const StrDict& entries, const std::string& name, const std::string& header) {
  std::string out = name + " = " + dict(entries) + '\n';
  if (out.size() <= kMaxLine + 1) return out;
  out = "[" + header + "]\n";
  for (const auto& [entry, value] : entries) out += key(entry) + " = " + text(value) + '\n';
  return out;
}

// Returns the keys that an app file has beside TorchX's fields, and removes them from the metadata.
// Values that an app file in TOML cannot hold stay in the metadata.
std::string role_keys(Role& role) {
  if (role.metadata_json.find(kRoleKeyPrefix) == std::string::npos) return {};
  Node metadata = parse_json(role.metadata_json, "metadata");
  std::string out;
  for (const std::string_view name : kRoleKeys) {
    const auto entry =
        std::find_if(metadata.entries.begin(), metadata.entries.end(),
                     [&](const NodeEntry& each) { return role_key_in(each.key) == name; });
    if (entry == metadata.entries.end() || !fits_toml(entry->value)) continue;
    out += std::string(name) + " = " + toml_text(entry->value) + '\n';
    metadata.entries.erase(entry);
  }
  if (out.empty()) return out;
  role.metadata_json.clear();
  if (!metadata.entries.empty()) append_json(metadata, role.metadata_json);
  return out;
}

void append_role(Role role, std::string& out) {
  const Role defaults;
  std::string tables;  // tables with headers, which must follow all other keys of the role
  out += "\n[[roles]]\n";
  const std::string keys = role_keys(role);
  each_field<Role>([&](const auto& field) {
    const auto& value = role.*field.member;
    if (is_default(value, defaults.*field.member)) return;
    if constexpr (std::is_same_v<decltype(value), const StrDict&>) {
      tables += text_table(value, field.key, std::string("roles.") + field.key);
    } else {
      out += field.key + std::string(" = ") + value_text(value, field.kind, field.key) + '\n';
    }
  });
  out += keys + tables;
}

// Returns [options.SCHEDULER] for the run options in the metadata, and removes them from the
// metadata. Other texts stay there.
std::string options_tables(StrDict& metadata) {
  std::string out;
  std::erase_if(metadata, [&](const auto& entry) {
    if (!entry.first.starts_with(kAppOptionsPrefix)) return false;
    Node options;
    try {
      options = parse_json(entry.second, entry.first);
    } catch (const InvalidApp&) {
      return false;
    }
    if (options.type != NodeType::kTable || !fits_toml(options)) return false;
    out += "\n[options." + key(entry.first.substr(kAppOptionsPrefix.size())) + "]\n";
    for (const NodeEntry& option : options.entries)
      out += key(option.key) + " = " + toml_text(option.value) + '\n';
    return true;
  });
  return out;
}

}  // namespace

std::string to_toml(const AppDef& app) {
  std::string out = "name = " + text(app.name) + '\n';
  StrDict metadata = app.metadata;
  const std::string options = options_tables(metadata);
  if (app.roles.empty()) out += "roles = []\n";
  if (!metadata.empty()) out += text_table(metadata, "metadata", "metadata");
  out += options;
  for (const Role& role : app.roles) append_role(role, out);
  return out;
}

}  // namespace slipway::spec
