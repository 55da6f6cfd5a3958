#include "core/config/config_file.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/spec/document.hpp"
#include "core/spec/fields.hpp"
#include "core/spec/toml_text.hpp"

namespace slipway::config {

namespace {

using spec::KeyPath;
using spec::Node;
using spec::NodeEntry;
using spec::NodeType;

class ConfigReader {
 public:
  ConfigReader(const std::string& file, Layer layer, spec::ProblemList& problems)
      : file_(file), layer_(layer), fields_(file, problems) {}

  FileContent read(Node& root) {
    for (NodeEntry& entry : root.entries) {
      const KeyPath path(root_, entry.key);
      if (entry.key == "profile") {
        profiles(entry.value, path);
      } else if (entry.key == "site") {
        site(entry.value, path);
      } else if (!section(entry, path)) {
        fields_.unknown_key(
            entry, path,
            {"cli", "component", "plugins", "profile", "scheduler", "site", "tracker"});
      }
    }
    return std::move(content_);
  }

 private:
  // Reads one section. Returns false if no section has this name.
  bool section(NodeEntry& entry, const KeyPath& path) {
    if (entry.key != "cli" && entry.key != "component" && entry.key != "plugins" &&
        entry.key != "scheduler" && entry.key != "tracker") {
      return false;
    }
    if (!fields_.table(entry.value, path)) return true;
    if (entry.key == "cli") {
      commands(entry.value, {}, path);
    } else if (entry.key == "component") {
      for (NodeEntry& inner : entry.value.entries) {
        if (fields_.table(inner.value, KeyPath(path, inner.key)))
          components(inner.value, inner.key, was_quoted(inner.key));
      }
    } else if (entry.key == "plugins") {
      plugins(entry.value, {}, path);
    } else if (entry.key == "tracker") {
      trackers(entry.value, path);
    } else {
      for (NodeEntry& inner : entry.value.entries) {
        const KeyPath here(path, inner.key);
        if (!fields_.table(inner.value, here)) continue;
        for (NodeEntry& option : inner.value.entries)
          add_setting_or_limit({Section::kScheduler, inner.key, option.key}, option, here);
      }
    }
    return true;
  }

  // Reads [tracker.NAME], which has one key, `config`.
  void trackers(Node& table, const KeyPath& path) {
    for (NodeEntry& tracker : table.entries) {
      const KeyPath inner(path, tracker.key);
      if (!fields_.table(tracker.value, inner)) continue;
      for (NodeEntry& entry : tracker.value.entries) {
        const KeyPath here(inner, entry.key);
        if (entry.key != "config") {
          fields_.unknown_key(entry, here, {"config"});
        } else if (entry.value.type != NodeType::kString) {
          fields_.wrong_type(entry.value, here, "a string");
        } else {
          add({Section::kTracker, tracker.key, entry.key}, entry);
        }
      }
    }
  }

  void profiles(Node& node, const KeyPath& path) {
    if (node.type == NodeType::kString) {
      NodeEntry entry{"profile", node.at, std::move(node)};
      add({Section::kCli, {}, "profile"}, entry);
      return;
    }
    if (node.type != NodeType::kTable) {
      fields_.wrong_type(node, path, "the name of a profile, or [profile.NAME] tables");
      return;
    }
    for (NodeEntry& entry : node.entries) {
      const KeyPath inner(path, entry.key);
      if (!fields_.table(entry.value, inner)) continue;
      content_.profiles.push_back(entry.key);
      profile_ = entry.key;
      for (NodeEntry& section_entry : entry.value.entries) {
        const KeyPath section_path(inner, section_entry.key);
        if (!section(section_entry, section_path))
          fields_.unknown_key(section_entry, section_path,
                              {"cli", "component", "plugins", "scheduler", "tracker"});
      }
      profile_.clear();
    }
  }

  // Reads [site], which only the site's file may have.
  void site(Node& node, const KeyPath& path) {
    if (!fields_.table(node, path)) return;
    for (NodeEntry& entry : node.entries) {
      const KeyPath inner(path, entry.key);
      if (!is_site_key(entry.key)) {
        fields_.unknown_key(
            entry, inner,
            {"allowed", "locked", "maximum", "minimum", "trusted_groups", "trusted_owners"});
      } else if (layer_ != Layer::kSite) {
        fields_.error(entry.key_at, inner, "only the site's configuration may contain this",
                      "that is /etc/slipway/config.toml; `slipway config check --as-site FILE` "
                      "checks a file before it is installed there");
      } else if (entry.key == "trusted_owners") {
        accounts(entry.value, inner, content_.site.trusted_owners);
      } else if (entry.key == "trusted_groups") {
        accounts(entry.value, inner, content_.site.trusted_groups);
      } else if (fields_.table(entry.value, inner)) {
        entry.key == "locked" ? locks(entry.value, inner) : limits(entry.key, entry.value, inner);
      }
    }
  }

  static bool is_site_key(const std::string& key) {
    return key == "locked" || key == "allowed" || key == "minimum" || key == "maximum" ||
           key == "trusted_owners" || key == "trusted_groups";
  }

  // Reads [site.locked], which contains sections like the file.
  void locks(Node& table, const KeyPath& path) {
    locked_ = true;
    for (NodeEntry& entry : table.entries) {
      const KeyPath inner(path, entry.key);
      // Components cannot be locked, because arguments can be given in too many ways. Trackers
      // cannot, because the user's environment variables override them.
      if (entry.key == "component" || entry.key == "tracker" || !section(entry, inner))
        fields_.unknown_key(entry, inner, {"cli", "plugins", "scheduler"});
    }
    locked_ = false;
  }

  // Reads [site.allowed], [site.minimum] or [site.maximum], whose sections contain limits.
  void limits(const std::string& kind, Node& table, const KeyPath& path) {
    limit_ = kind == "allowed"   ? Limit::Kind::kAllowed
             : kind == "minimum" ? Limit::Kind::kMinimum
                                 : Limit::Kind::kMaximum;
    for (NodeEntry& entry : table.entries) {
      const KeyPath inner(path, entry.key);
      const auto known = limit_ == Limit::Kind::kAllowed
                             ? std::vector<std::string_view>{"cli", "scheduler"}
                             : std::vector<std::string_view>{"scheduler"};
      if (std::find(known.begin(), known.end(), entry.key) == known.end()) {
        fields_.unknown_key(entry, inner, known);
      } else {
        section(entry, inner);
      }
    }
    limit_.reset();
  }

  // Reads a list of users or groups, by name or number.
  void accounts(Node& list, const KeyPath& path, std::vector<AccountName>& out) {
    if (!fields_.list(list, path, "names or numbers")) return;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const Node& item = list.items[i];
      const spec::Position where{file_, item.at.line, item.at.column};
      if (item.type == NodeType::kString) {
        out.push_back({item.text, where});
      } else if (item.type == NodeType::kInt && item.integer >= 0) {
        out.push_back({std::to_string(item.integer), where});
      } else {
        fields_.wrong_type(item, KeyPath(path, i), "a name or a number");
      }
    }
  }

  // Reads [plugins.ID]. The parts of an id are nested tables; the innermost one has `config` or
  // `enabled`.
  void plugins(Node& table, const std::string& prefix, const KeyPath& path) {
    for (NodeEntry& entry : table.entries) {
      const KeyPath inner(path, entry.key);
      if (!fields_.table(entry.value, inner)) continue;
      const std::string id = prefix + entry.key;
      const bool is_part_of_id = !entry.value.entries.empty() &&
                                 std::all_of(entry.value.entries.begin(), entry.value.entries.end(),
                                             [](const NodeEntry& each) {
                                               return each.value.type == NodeType::kTable &&
                                                      each.key != "config" && each.key != "enabled";
                                             });
      if (is_part_of_id) {
        plugins(entry.value, id + ".", inner);
      } else {
        plugin(entry.value, id, inner);
      }
    }
  }

  void plugin(Node& table, const std::string& id, const KeyPath& path) {
    for (NodeEntry& entry : table.entries) {
      const KeyPath inner(path, entry.key);
      bool ignored = false;
      if (entry.key == "enabled") {
        if (fields_.boolean(entry.value, inner, ignored))
          add({Section::kPlugin, id, entry.key}, entry);
      } else if (entry.key == "config") {
        if (fields_.table(entry.value, inner)) plugin_config(id, entry, {});
      } else {
        fields_.unknown_key(entry, inner, {"config", "enabled"});
      }
    }
  }

  // Adds a setting for each value of a plug-in's configuration, because layers override and the
  // site locks single keys of it. `path` has the keys below `config`.
  void plugin_config(const std::string& id, NodeEntry& entry,
                     const std::vector<std::string>& path) {
    if (entry.value.type == NodeType::kTable && !entry.value.entries.empty()) {
      for (NodeEntry& inner : entry.value.entries) {
        std::vector<std::string> inner_path = path;
        inner_path.push_back(inner.key);
        plugin_config(id, inner, inner_path);
      }
      return;
    }
    std::string option = "config";
    for (const std::string& key : path) option += "." + spec::toml_key(key);
    add({Section::kPlugin, id, std::move(option)}, entry);
    content_.settings.back().config_path = path;
  }

  // Reads [cli] or [cli.COMMAND], whose tables are subcommands.
  void commands(Node& table, const std::string& command, const KeyPath& path) {
    for (NodeEntry& entry : table.entries) {
      if (entry.value.type == NodeType::kTable) {
        commands(entry.value, command.empty() ? entry.key : command + "." + entry.key,
                 KeyPath(path, entry.key));
      } else {
        add_setting_or_limit({Section::kCli, command, entry.key}, entry, path);
      }
    }
  }

  // Returns whether the key has dots, and so must have been quoted: TOML splits an unquoted key at
  // its dots.
  static bool was_quoted(const std::string& key) { return key.find('.') != std::string::npos; }

  // Reads [component.utils.echo] and [component."utils.echo"], which mean the same: a table that
  // contains only tables is a part of a name, unless its key was quoted.
  void components(Node& table, const std::string& name, bool is_whole_name) {
    const bool part_of_name =
        !is_whole_name && !table.entries.empty() &&
        std::all_of(table.entries.begin(), table.entries.end(),
                    [](const NodeEntry& entry) { return entry.value.type == NodeType::kTable; });
    for (NodeEntry& entry : table.entries) {
      if (part_of_name) {
        components(entry.value, name + "." + entry.key, was_quoted(entry.key));
      } else {
        add({Section::kComponent, name, entry.key}, entry);
      }
    }
  }

  // `path` is that of the table of `entry`.
  void add_setting_or_limit(SettingKey key, NodeEntry& entry, const KeyPath& path) {
    if (!limit_) return add(std::move(key), entry);
    const KeyPath here(path, entry.key);
    if (entry.value.type != NodeType::kTable) return add_limit(key, {}, entry, here);
    // The limits of an option whose value is a table are per key.
    for (NodeEntry& inner : entry.value.entries)
      add_limit(key, inner.key, inner, KeyPath(here, inner.key));
  }

  void add_limit(const SettingKey& key, const std::string& table_key, NodeEntry& entry,
                 const KeyPath& path) {
    const bool is_allowed = limit_ == Limit::Kind::kAllowed;
    const NodeType type = entry.value.type;
    // A bound of nan would equal every number.
    const bool has_order = type == NodeType::kInt || type == NodeType::kString ||
                           (type == NodeType::kFloat && !std::isnan(entry.value.real));
    if (key.section == Section::kCli && key != kSchedulerOfRun) {
      fields_.error(
          entry.key_at, path, "[site.allowed] can limit only `scheduler` of the options in cli",
          "write [site.allowed.cli.run] scheduler = [...]; [site.locked] fixes any option");
    } else if (is_allowed && (type != NodeType::kList || entry.value.items.empty())) {
      fields_.wrong_type(entry.value, path, "a list of the values that are allowed");
    } else if (!is_allowed && !has_order) {
      fields_.wrong_type(entry.value, path, "a number, a time or a size");
    } else {
      content_.site.limits.push_back({*limit_,
                                      key,
                                      table_key,
                                      std::move(entry.value),
                                      {file_, entry.key_at.line, entry.key_at.column}});
    }
  }

  void add(SettingKey key, NodeEntry& entry) {
    Setting setting;
    setting.key = std::move(key);
    setting.layer = layer_;
    setting.where = {file_, entry.key_at.line, entry.key_at.column};
    setting.profile = profile_;
    setting.locked = locked_;
    setting.value = std::move(entry.value);
    content_.settings.push_back(std::move(setting));
  }

  const KeyPath root_;
  const std::string& file_;
  const Layer layer_;
  spec::FieldReader fields_;
  std::string profile_;               // the NAME below [profile.NAME]; empty elsewhere
  bool locked_ = false;               // set below [site.locked]
  std::optional<Limit::Kind> limit_;  // set below [site.allowed], [site.minimum] and [site.maximum]
  FileContent content_;
};

}  // namespace

FileContent read_config(std::string_view text, const std::string& file, Layer layer,
                        std::vector<spec::Problem>& problems) {
  FileContent content;
  spec::ProblemList found;
  try {
    Node root = spec::parse_toml(text, file);
    content = ConfigReader(file, layer, found).read(root);
  } catch (const spec::InvalidApp& error) {
    for (const spec::Problem& problem : error.problems()) found.add(problem);
  }
  for (spec::Problem& problem : found.in_order()) {
    problem.code = Code::kConfig;
    problems.push_back(std::move(problem));
  }
  return content;
}

}  // namespace slipway::config
