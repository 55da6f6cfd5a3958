#include "core/cli/apps/app_overrides.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/cli/apps/app_source.hpp"
#include "core/cli/invocation/configuration.hpp"
#include "core/spec/app_json.hpp"
#include "core/spec/document.hpp"
#include "core/spec/document_text.hpp"
#include "core/spec/known_keys.hpp"
#include "core/spec/load_app.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/problem.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/plain_number.hpp"
#include "sdk/support/role_keys.hpp"
#include "slipway/lines.hpp"

namespace slipway::cli {

namespace {

using spec::Node;
using spec::NodeType;

constexpr const char* kSetSource = "--set";

/// Splits `NAME=VALUE`. Returns nothing for a text without a name.
std::optional<std::pair<std::string, std::string>> split_pair(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos) return std::nullopt;
  return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

/// Splits the value of `--env` or `--set`, which has the form `form`, such as NAME=VALUE. Throws
/// Error kUsage for any other text.
std::pair<std::string, std::string> name_and_value(const std::string& option,
                                                   const std::string& form,
                                                   const std::string& text) {
  if (auto pair = split_pair(text)) return *std::move(pair);
  throw Error(Code::kUsage, option + " " + spec::quoted(text) + ": expected " + form);
}

void set_variable(AppDef& app, const std::string& name, const std::string& value) {
  for (Role& role : app.roles) set(role.env, name, value);
}

/// Sets the variables of a file for all roles. Each line is NAME=VALUE without a blank in NAME, or
/// a comment that starts with `#`, or empty. Ignores blanks at both ends of a line. Quotes and `$`
/// are ordinary characters of a value.
void apply_env_file(const std::string& path, AppDef& app) {
  const std::string text = spec::read_text_file(path);
  std::size_t number = 0;
  for (const std::string_view line : split_lines(spec::checked_text(text, path))) {
    ++number;
    const std::string_view content = trimmed(line);
    if (content.empty() || content.front() == '#') continue;
    const auto pair = split_pair(content);
    if (!pair || pair->first.find_first_of(" \t") != std::string::npos) {
      // The text may be a secret, so the message does not quote it.
      throw Error(
          Code::kInvalid, "expected NAME=VALUE",
          content.starts_with("export ") ? "leave `export` out: no shell reads the file" : "",
          fmt::format("{}:{}", path, number));
    }
    set_variable(app, pair->first, pair->second);
  }
}

/// Splits a path at its dots. A part in double quotes may contain dots.
std::vector<std::string> path_parts(const std::string& path) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : path) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == '.' && !quoted) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  if (quoted || std::find(out.begin(), out.end(), std::string()) != out.end()) {
    throw Error(Code::kUsage, fmt::format("--set {}: the key is not a path", spec::quoted(path)),
                "write roles.ROLE.KEY, and names with dots in double quotes");
  }
  return out;
}

/// Throws Error kUsage: the table that `table` describes, such as "a role", has no `key`.
[[noreturn]] void throw_no_key(const std::string& path, const std::string& key,
                               const std::string& table,
                               const std::vector<std::string_view>& keys) {
  const std::string near = spec::did_you_mean(key, keys);
  throw Error(Code::kUsage,
              fmt::format("--set {}: {} has no key {}", path, table, spec::quoted(key)),
              (near.empty() ? "" : near + " ") + "the keys are " + joined(keys));
}

/// Returns the keys that `--set` may change: all but `options`, because `-c` sets run options.
template <class Struct>
std::vector<std::string_view> settable_keys() {
  std::vector<std::string_view> out = spec::known_keys<Struct>();
  if constexpr (std::is_same_v<Struct, AppDef>) std::erase(out, spec::kOptionsKey);
  return out;
}

/// Returns the JSON name of a field that app files may name differently: `memMB` for `mem`. Throws
/// as throw_no_key().
template <class Struct>
std::string field_key(const std::string& path, const std::string& key, const std::string& table) {
  std::string out;
  if (!with_field<Struct>(key, [&](const auto& field) { out = field.key; }))
    throw_no_key(path, key, table, settable_keys<Struct>());
  return out;
}

/// Sets fields in the document of an app.
class FieldSetter {
 public:
  explicit FieldSetter(Node& app) : app_(app) {}

  /// Sets one field. Returns the index of the role whose resource the field belongs to, or nothing
  /// for another field.
  std::optional<std::size_t> set_field(const std::string& path, const std::string& value) {
    path_ = path;
    const std::vector<std::string> parts = path_parts(path);
    if (parts[0] == spec::kOptionsKey) {
      std::string option;  // may have a dot: `backoff.max`
      for (std::size_t i = 2; i < parts.size(); ++i) option += (i > 2 ? "." : "") + parts[i];
      throw Error(Code::kUsage, fmt::format("--set {}: run options are not fields of an app", path),
                  "write -c " + (option.empty() ? "NAME" : option) + "=" +
                      (option.empty() ? "VALUE" : value));
    }
    const std::string key = field_key<AppDef>(path, parts[0], "an app");
    if (key != "roles") {
      assign(child(app_, key), parts, 1, value,
             key == "metadata" ? Entries::kTexts : Entries::kAny);
      return std::nullopt;
    }
    if (parts.size() < 3) {
      throw Error(Code::kUsage, fmt::format("--set {}: the path names no key of a role", path_),
                  "write roles.ROLE.KEY; the keys are " + joined(spec::known_keys<Role>()));
    }
    const std::size_t index = role_index(parts[1]);
    Node& role = child(app_, "roles").items[index];
    if (is_role_key(parts[2])) {
      Node& metadata = child(role, "metadata");
      assign(child(metadata, std::string(kRoleKeyPrefix) + parts[2]), parts, 3, value);
      return std::nullopt;
    }
    const std::string field = field_key<Role>(path, parts[2], "a role");
    if (field != "resource" || parts.size() == 3) {
      assign(child(role, field), parts, 3, value, field == "env" ? Entries::kTexts : Entries::kAny);
    } else {
      const std::string resource_field = field_key<Resource>(path, parts[3], "a resource");
      Node& resource = child(role, field);
      remove_other_keys(resource, resource_field, parts[3]);
      assign(child(resource, parts[3]), parts, 4, value);
    }
    return field == "resource" ? std::optional<std::size_t>(index) : std::nullopt;
  }

 private:
  /// The entries of a table: values of any type, or only texts, even if a text is valid JSON. `env`
  /// and the metadata of an app have only texts.
  enum class Entries { kAny, kTexts };

  /// Returns the index of the role with this name or, without such a role, with this number.
  std::size_t role_index(const std::string& name) {
    const std::vector<Node>& roles = child(app_, "roles").items;
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < roles.size(); ++i) {
      names.emplace_back(roles[i].find("name")->text);
      if (names.back() == name) return i;
    }
    if (const auto index = plain_number<std::size_t>(name); index && *index < roles.size())
      return *index;
    const std::string near = spec::did_you_mean(name, names);
    throw Error(Code::kUsage,
                fmt::format("--set {}: there is no role {}", path_, spec::quoted(name)),
                (near.empty() ? "" : near + " ") + "the roles are " + joined(names));
  }

  /// Returns the value of the key, which it adds to the table if necessary.
  static Node& child(Node& table, std::string_view key) {
    for (spec::NodeEntry& entry : table.entries)
      if (entry.key == key) return entry.value;
    table.type = NodeType::kTable;
    return table.entries.emplace_back(spec::NodeEntry{std::string(key), {}, {}}).value;
  }

  /// Removes the field `name` where it has another key than `kept`, such as `memMB` beside `mem`:
  /// the values of these keys have different forms.
  static void remove_other_keys(Node& resource, const std::string& name, const std::string& kept) {
    const auto is_other = [&](const spec::NodeEntry& entry) {
      bool same_field = false;
      with_field<Resource>(entry.key, [&](const auto& field) { same_field = field.key == name; });
      return same_field && entry.key != kept;
    };
    resource.entries.erase(
        std::remove_if(resource.entries.begin(), resource.entries.end(), is_other),
        resource.entries.end());
  }

  /// Sets the value at the rest of the path, from part `next` on, below `node`.
  void assign(Node& node, const std::vector<std::string>& parts, std::size_t next,
              const std::string& value, Entries entries = Entries::kAny) {
    if (next == parts.size()) {
      const bool is_text = node.type == NodeType::kString;
      node = is_text ? text_node(value) : value_node(value);
      return;
    }
    if (node.type == NodeType::kList) {
      const auto index = plain_number<std::size_t>(parts[next]);
      if (!index || *index >= node.items.size()) {
        throw Error(Code::kUsage,
                    fmt::format("--set {}: there is no item {} in a list of {}", path_,
                                spec::quoted(parts[next]), node.items.size()),
                    "items count from 0");
      }
      assign(node.items[*index], parts, next + 1, value);
      return;
    }
    if (node.type != NodeType::kTable && node.type != NodeType::kNull) {
      throw Error(Code::kUsage,
                  fmt::format("--set {}: {} has no keys", path_, spec::quoted(parts[next - 1])));
    }
    Node& entry = child(node, parts[next]);
    if (entries == Entries::kTexts) entry = text_node({});
    assign(entry, parts, next + 1, value);
  }

  static Node text_node(const std::string& text) {
    Node out;
    out.type = NodeType::kString;
    out.text = text;
    return out;
  }

  /// Returns the value of a text in JSON (4, true, ["a"]), or else the text itself (gpu.small).
  static Node value_node(const std::string& text) {
    try {
      return spec::parse_json(text, kSetSource);
    } catch (const Error&) {
      return text_node(text);
    }
  }

  Node& app_;
  std::string path_;
};

/// Removes all positions, because the user has never seen the text of the document.
void remove_positions(Node& node) {
  node.at = {};
  for (Node& item : node.items) remove_positions(item);
  for (spec::NodeEntry& entry : node.entries) {
    entry.key_at = {};
    remove_positions(entry.value);
  }
}

/// Returns the problem with a role's key as `--set` writes it (`cwd`), instead of its path in the
/// metadata (`metadata.'slipway.cwd'`).
spec::Problem with_role_key(spec::Problem problem) {
  const std::string start = "metadata.'" + std::string(kRoleKeyPrefix);
  const std::size_t at = problem.key.find(start);
  if (at == std::string::npos) return problem;
  problem.key.erase(problem.key.find('\'', at + start.size()), 1);
  problem.key.erase(at, start.size());
  return problem;
}

/// Reads the changed document of an app. Throws InvalidApp.
spec::AppFile load_changed(Invocation& invocation, Node document) {
  try {
    return spec::load_app_document(std::move(document), kSetSource, resource_resolver(invocation),
                                   resource_names(invocation));
  } catch (const spec::InvalidApp& invalid) {
    std::vector<spec::Problem> problems = invalid.problems();
    for (spec::Problem& problem : problems) problem = with_role_key(std::move(problem));
    throw spec::InvalidApp(std::move(problems));
  }
}

void apply_fields(Invocation& invocation, const std::vector<std::string>& fields, AppDef& app) {
  Node document = spec::parse_json(boost::json::serialize(spec::to_json(app)), kSetSource);
  FieldSetter setter(document);
  std::set<std::size_t> changed_resources;
  for (const std::string& text : fields) {
    const auto [path, value] = name_and_value("--set", "KEY=VALUE", text);
    if (const auto role = setter.set_field(path, value)) changed_resources.insert(*role);
  }
  remove_positions(document);
  spec::AppFile changed = load_changed(invocation, std::move(document));
  print_warnings(changed.warnings);
  // The document has no place for scheduler_resources, the variants of a named resource for single
  // schedulers. A role whose resource is unchanged keeps them.
  for (std::size_t i = 0; i < app.roles.size() && i < changed.app.roles.size(); ++i) {
    if (changed_resources.count(i) == 0)
      changed.app.roles[i].scheduler_resources = std::move(app.roles[i].scheduler_resources);
  }
  app = std::move(changed.app);
}

}  // namespace

void apply_overrides(Invocation& invocation, const AppOverrides& overrides, AppDef& app) {
  for (const std::string& path : overrides.env_files) apply_env_file(path, app);
  for (const std::string& text : overrides.env) {
    const auto [name, value] = name_and_value("--env", "NAME=VALUE", text);
    set_variable(app, name, value);
  }
  if (!overrides.fields.empty()) apply_fields(invocation, overrides.fields, app);
}

}  // namespace slipway::cli
