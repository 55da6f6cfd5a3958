#include "core/registry/manifests/manifest_plugin.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "core/spec/near_name.hpp"
#include "sdk/support/ascii_case.hpp"
#include "sdk/support/plain_number.hpp"

namespace slipway::registry {
namespace {

#if defined(__x86_64__)
constexpr std::string_view kPlatform = "linux_amd64";
#elif defined(__aarch64__)
constexpr std::string_view kPlatform = "linux_arm64";
#else
#error "name this platform's key in the manifest here"
#endif

const std::vector<std::string_view>& plugin_keys() {
  static const std::vector<std::string_view> keys = {
      "id",       "version",     "library", "abi", "enabled", "override",
      "provides", "description", "license", "url", "config",  "sha256"};
  return keys;
}

constexpr const char* kNameRule =
    "use letters, digits, `.` (not first), `_`, `-`, `+`; at most 128 bytes";

// Ids and names occur in handles, paths and log lines, so they must not need escapes there.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 128 && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '.' || c == '_' || c == '-' || c == '+';
         });
}

/// Returns noun() with its article, such as "an image provider".
std::string a_noun(Group group) {
  const std::string_view word = noun(group);
  return fmt::format("{} {}", word.front() == 'i' ? "an" : "a", word);
}

class PluginReader {
 public:
  PluginReader(const std::string& file, Origin origin) : file_(file), reader_(file_, problems_) {
    entry_.origin = origin;
  }

  std::optional<PluginEntry> read(spec::Node& table, std::size_t index, spec::ProblemList& out) {
    const spec::KeyPath root;
    const spec::KeyPath plugins(root, "plugin");
    const spec::KeyPath path(plugins, index);
    entry_.source = {file_, table.at.line, table.at.column};
    entry_.config.type = spec::NodeType::kTable;
    bool has_id = false;
    if (reader_.table(table, path)) {
      // The meaning of the other keys depends on `id` and `enabled`.
      has_id = read_id(table, path);
      for (spec::NodeEntry& entry : table.entries) {
        if (entry.key == "enabled")
          reader_.boolean(entry.value, spec::KeyPath(path, entry.key), entry_.enabled);
      }
      for (spec::NodeEntry& entry : table.entries) read_entry(entry, path);
      if (entry_.enabled && !has_library_) {
        fail(table.at, path, Code::kConfig, "`library` is missing",
             "name the plug-in's .so file, relative to this file");
      }
    }
    for (spec::Problem& problem : problems_.in_order()) {
      // FieldReader reports kInvalid, the code of app files.
      if (problem.code == Code::kInvalid) problem.code = Code::kConfig;
      if (!entry_.error && problem.severity == spec::Severity::kError) entry_.error = problem;
      out.add(std::move(problem));
    }
    if (!has_id) return std::nullopt;
    if (entry_.error) entry_.library.clear();
    return std::move(entry_);
  }

 private:
  void fail(spec::Mark at, const spec::KeyPath& path, Code code, std::string message,
            std::string hint = {}) {
    problems_.add({spec::Severity::kError,
                   {file_, at.line, at.column},
                   path.text(),
                   std::move(message),
                   std::move(hint),
                   code});
  }

  // A manifest for a newer Slipway may have more keys, so an unknown one is only a warning.
  void warn_unknown(const spec::NodeEntry& entry, const spec::KeyPath& key,
                    const std::vector<std::string_view>& known) {
    reader_.warning(entry.key_at, key, "unknown key (ignored)",
                    spec::did_you_mean(entry.key, known), spec::rule::kUnknownKey);
  }

  // Stores the tree, which merge_config() can merge. The conversion to JSON only reports values
  // that JSON lacks, with their place; its text is dropped.
  void read_config(spec::Node& value, const spec::KeyPath& key, spec::Node& config) {
    std::string text;
    if (reader_.json_object(value, key, text)) config = std::move(value);
  }

  bool read_id(spec::Node& table, const spec::KeyPath& path) {
    for (spec::NodeEntry& entry : table.entries) {
      if (entry.key != "id") continue;
      const spec::KeyPath key(path, entry.key);
      if (!reader_.string(entry.value, key, entry_.id)) return false;
      if (is_plain_name(entry_.id)) return true;
      fail(entry.value.at, key, Code::kConfig,
           fmt::format("{} is not an id", spec::quoted(entry_.id)),
           fmt::format("{}, such as org.example.slurm", kNameRule));
      return false;
    }
    fail(table.at, path, Code::kConfig, "`id` is missing",
         "give the plug-in an identity such as org.example.slurm");
    return false;
  }

  void read_entry(spec::NodeEntry& entry, const spec::KeyPath& path) {
    const spec::KeyPath key(path, entry.key);
    const std::string& name = entry.key;
    spec::Node& value = entry.value;
    if (name == "id" || name == "enabled") {
      return;
    } else if (name == "version") {
      reader_.string(value, key, entry_.version);
    } else if (name == "description") {
      reader_.string(value, key, entry_.description);
    } else if (name == "license") {
      reader_.string(value, key, entry_.license);
    } else if (name == "url") {
      reader_.string(value, key, entry_.url);
    } else if (name == "override") {
      reader_.boolean(value, key, entry_.overrides);
    } else if (name == "abi") {
      if (reader_.string(value, key, entry_.abi) && entry_.enabled) check_abi(value.at, key);
    } else if (name == "library") {
      read_library(value, key);
    } else if (name == "sha256") {
      read_sha256(value, key);
    } else if (name == "provides") {
      read_provides(value, key);
    } else if (name == "config") {
      read_config(value, key, entry_.config);
    } else {
      warn_unknown(entry, key, plugin_keys());
    }
  }

  void check_abi(spec::Mark at, const spec::KeyPath& key) {
    const std::string_view version = entry_.abi;
    const std::size_t point = std::min(version.find('.'), version.size());
    const auto major = plain_number<unsigned>(version.substr(0, point));
    const auto minor = point < version.size() ? plain_number<unsigned>(version.substr(point + 1))
                                              : std::optional<unsigned>(0);
    if (!major || !minor) {
      fail(at, key, Code::kConfig,
           fmt::format("expected a version such as \"1.0\", found {}", spec::quoted(entry_.abi)));
    } else if (*major != SLIPWAY_ABI_MAJOR) {
      fail(at, key, Code::kAbi,
           fmt::format("{} needs ABI {}; this host speaks {}.{}", entry_.id, entry_.abi,
                       SLIPWAY_ABI_MAJOR, SLIPWAY_ABI_MINOR),
           "install the build of the plug-in for this host");
    } else if (*minor > SLIPWAY_ABI_MINOR) {
      fail(at, key, Code::kAbi,
           fmt::format("{} needs a host with ABI >= {}; this one has {}.{}", entry_.id, entry_.abi,
                       SLIPWAY_ABI_MAJOR, SLIPWAY_ABI_MINOR),
           "upgrade Slipway");
    }
  }

  // Returns the text, or the entry for this machine of a table of texts; nullopt after an error.
  std::optional<std::string> for_platform(spec::Node& value, const spec::KeyPath& key,
                                          const char* what, const char* value_name) {
    std::string out;
    if (value.type != spec::NodeType::kTable) {
      if (value.type != spec::NodeType::kString) {
        reader_.wrong_type(value, key,
                           fmt::format("a {0} or a table of {0}s per platform", value_name));
        return std::nullopt;
      }
      return std::move(value.text);
    }
    spec::Node* for_this_machine = nullptr;
    std::string others;
    for (spec::NodeEntry& entry : value.entries) {
      if (entry.key == kPlatform) for_this_machine = &entry.value;
      others += (others.empty() ? "" : ", ") + spec::quoted(entry.key);
    }
    if (for_this_machine == nullptr) {
      fail(value.at, key, Code::kUnavailable,
           fmt::format("has no {} for {}; it has {}", what, kPlatform,
                       others.empty() ? "none" : others),
           "install the plug-in's build for this machine");
      return std::nullopt;
    }
    if (!reader_.string(*for_this_machine, spec::KeyPath(key, kPlatform), out)) return std::nullopt;
    return out;
  }

  void read_sha256(spec::Node& value, const spec::KeyPath& key) {
    if (!entry_.enabled) return;
    auto text = for_platform(value, key, "checksum", "checksum");
    if (!text) return;
    *text = lower_case(*text);
    if (text->size() != 64 || text->find_first_not_of("0123456789abcdef") != std::string::npos) {
      fail(value.at, key, Code::kConfig,
           fmt::format("expected 64 hexadecimal digits, found {}", spec::quoted(*text)),
           "`sha256sum LIBRARY` prints them");
      return;
    }
    entry_.sha256 = *std::move(text);
    entry_.sha256_source = {file_, value.at.line, value.at.column};
  }

  void read_library(spec::Node& value, const spec::KeyPath& key) {
    has_library_ = true;
    if (!entry_.enabled) return;
    const auto path = for_platform(value, key, "library", "path");
    if (!path) return;
    const std::string& library = *path;
    if (library.empty() || library.find('\0') != std::string::npos) {
      fail(value.at, key, Code::kConfig, fmt::format("{} is not a path", spec::quoted(library)));
      return;
    }
    // Relative to the manifest, not to the working directory.
    entry_.library =
        (std::filesystem::path(file_).parent_path() / library).lexically_normal().string();
  }

  void read_provides(spec::Node& value, const spec::KeyPath& key) {
    static const std::vector<std::string_view> known = {
        to_string(Group::kSchedulers), to_string(Group::kImageProviders),
        to_string(Group::kNamedResources), to_string(Group::kComponents),
        to_string(Group::kWorkspaces)};
    if (!reader_.table(value, key)) return;
    for (spec::NodeEntry& entry : value.entries) {
      const spec::KeyPath group_key(key, entry.key);
      const auto group = std::find_if(kGroups.begin(), kGroups.end(),
                                      [&](Group one) { return entry.key == to_string(one); });
      if (group == kGroups.end()) {
        warn_unknown(entry, group_key, known);
      } else if (reader_.list(entry.value, group_key, "names")) {
        for (std::size_t i = 0; i < entry.value.items.size(); ++i) {
          read_provided(entry.value.items[i], spec::KeyPath(group_key, i), *group);
        }
      }
    }
  }

  void read_provided(spec::Node& item, const spec::KeyPath& key, Group group) {
    static const std::vector<std::string_view> known = {
        "name", "entry", "config", "resources", "component_files", "workspace"};
    Provided provided;
    provided.group = group;
    provided.source = {file_, item.at.line, item.at.column};
    provided.config.type = spec::NodeType::kTable;
    bool is_name_string = true;
    if (item.type == spec::NodeType::kString) {
      provided.name = std::move(item.text);
    } else if (item.type == spec::NodeType::kTable) {
      for (spec::NodeEntry& entry : item.entries) {
        const spec::KeyPath entry_key(key, entry.key);
        if (entry.key == "name") {
          is_name_string = reader_.string(entry.value, entry_key, provided.name);
        } else if (entry.key == "entry") {
          reader_.string(entry.value, entry_key, provided.entry);
        } else if (entry.key == "config") {
          read_config(entry.value, entry_key, provided.config);
        } else if (entry.key == "resources") {
          read_resources(entry.value, entry_key, provided);
        } else if (entry.key == "component_files") {
          read_component_files(entry.value, entry_key, provided);
        } else if (entry.key == "workspace") {
          read_workspace(entry.value, entry_key, provided);
        } else {
          warn_unknown(entry, entry_key, known);
        }
      }
    } else {
      reader_.wrong_type(item, key, "a name, or a table with `name`");
      return;
    }
    if (!is_name_string) return;
    if (!is_plain_name(provided.name)) {
      fail(item.at, key, Code::kConfig,
           fmt::format("{} is not a valid name of {}", spec::quoted(provided.name), a_noun(group)),
           kNameRule);
      return;
    }
    if (provided.entry.empty()) provided.entry = provided.name;
    const bool is_listed =
        std::any_of(entry_.provides.begin(), entry_.provides.end(), [&](const Provided& earlier) {
          return earlier.group == group && earlier.name == provided.name;
        });
    if (is_listed) {
      fail(item.at, key, Code::kConfig,
           fmt::format("the {} \"{}\" is listed twice", noun(group), provided.name));
      return;
    }
    entry_.provides.push_back(std::move(provided));
  }

  void read_resources(spec::Node& value, const spec::KeyPath& key, Provided& provided) {
    if (provided.group != Group::kNamedResources) {
      fail(value.at, key, Code::kConfig,
           fmt::format("{} has no named resources", a_noun(provided.group)),
           "`resources` belongs to a name in named_resources");
      return;
    }
    if (!reader_.list(value, key, "names")) return;
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const spec::KeyPath item_key(key, i);
      std::string name;
      if (!reader_.string(value.items[i], item_key, name)) continue;
      const std::size_t star = name.find('*');
      if (name.empty() || (star != std::string::npos && star + 1 != name.size())) {
        fail(value.items[i].at, item_key, Code::kConfig,
             fmt::format("{} is not a valid name of a resource", spec::quoted(name)),
             "write the whole name, or its start and one `*` at the end");
        continue;
      }
      provided.resources.push_back(std::move(name));
    }
  }

  void read_component_files(spec::Node& value, const spec::KeyPath& key, Provided& provided) {
    if (provided.group != Group::kComponents) {
      fail(value.at, key, Code::kConfig,
           fmt::format("{} reads no component files", a_noun(provided.group)),
           "`component_files` belongs to a name in components");
      return;
    }
    if (!reader_.list(value, key, "extensions")) return;
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const spec::KeyPath item_key(key, i);
      std::string extension;
      if (!reader_.string(value.items[i], item_key, extension)) continue;
      if (extension == "toml" || extension == "json") {
        fail(value.items[i].at, item_key, Code::kConfig,
             fmt::format("Slipway reads component files that end in .{} itself", extension));
      } else if (!is_plain_name(extension)) {
        fail(value.items[i].at, item_key, Code::kConfig,
             fmt::format("{} is not an extension", spec::quoted(extension)),
             "write it without the dot, such as \"py\"");
      } else {
        provided.component_files.push_back(std::move(extension));
      }
    }
  }

  void read_workspace(spec::Node& value, const spec::KeyPath& key, Provided& provided) {
    if (provided.group != Group::kSchedulers) {
      fail(value.at, key, Code::kConfig,
           fmt::format("{} runs no apps in a workspace", a_noun(provided.group)),
           "`workspace` belongs to a name in schedulers");
      return;
    }
    if (!reader_.string(value, key, provided.workspace)) return;
    const std::size_t scheme = provided.workspace.find("://");
    if (scheme != std::string::npos && is_plain_name(provided.workspace.substr(0, scheme)) &&
        provided.workspace.find("${dir}", scheme) != std::string::npos)
      return;
    fail(value.at, key, Code::kConfig,
         fmt::format("{} is not a URL with the macro ${{dir}}", spec::quoted(provided.workspace)),
         "write PROVIDER://${dir}, with the name of a workspace provider");
  }

  const std::string& file_;
  spec::ProblemList problems_;
  spec::FieldReader reader_;
  PluginEntry entry_;
  bool has_library_ = false;
};

}  // namespace

bool Provided::lists_resource(std::string_view resource) const {
  return std::any_of(resources.begin(), resources.end(), [&](std::string_view listed) {
    if (!listed.ends_with('*')) return listed == resource;
    return resource.starts_with(listed.substr(0, listed.size() - 1));
  });
}

bool Provided::lists_all_resources() const {
  return !resources.empty() &&
         std::none_of(resources.begin(), resources.end(),
                      [](std::string_view listed) { return listed.ends_with('*'); });
}

std::optional<PluginEntry> read_plugin(spec::Node& table, std::size_t index,
                                       const std::string& file, Origin origin,
                                       spec::ProblemList& problems) {
  return PluginReader(file, origin).read(table, index, problems);
}

}  // namespace slipway::registry
