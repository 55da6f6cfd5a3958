#include "core/registry/index.hpp"

#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <set>

#include "core/registry/plugin_difference.hpp"
#include "core/spec/near_name.hpp"
#include "slipway/error.hpp"

namespace slipway::registry {
namespace {

// The manifests of a directory by name, since readdir's order is nobody's; or what errno says.
std::optional<std::vector<std::string>> manifests_in(const std::string& directory) {
  struct Close {
    void operator()(DIR* open) const { closedir(open); }
  };
  const std::unique_ptr<DIR, Close> open(opendir(directory.c_str()));
  if (open == nullptr) return std::nullopt;
  constexpr std::string_view kExtension = ".toml";
  std::vector<std::string> files;
  while (const dirent* entry = readdir(open.get())) {
    const std::string_view name = entry->d_name;
    // A leading dot is an editor's or a package manager's file in the making.
    if (name.size() <= kExtension.size() || name[0] == '.') continue;
    if (name.substr(name.size() - kExtension.size()) == kExtension)
      files.push_back(directory + "/" + std::string(name));
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Reader {
 public:
  Reader(Index& index, const TrustPolicy& trust) : index_(index), trust_(trust) {}

  void read_place(SearchEntry place) {
    if (!place.usable) {
      index_.searched.push_back(std::move(place));
      return;
    }
    struct stat st {};
    const int reason = stat(place.path.c_str(), &st) == 0 ? 0 : errno;
    const bool is_file = reason == 0 && !S_ISDIR(st.st_mode);
    const Origin origin = place.origin;
    const std::string path = place.path;
    if (is_file) {
      try {
        check_directory_trusted(trust_, path);
        read_file(path, origin);
      } catch (const Error& error) {
        refuse(place, error);
      }
    } else {
      read_directory(place, st, reason);
    }
    index_.searched.push_back(std::move(place));
    if (is_file) return;
    SearchEntry resources{resources_dir_of(path), origin};
    struct stat beside {};
    if (stat(resources.path.c_str(), &beside) != 0 && errno == ENOENT)
      return;  // most places have none
    read_directory(resources, beside, 0);
    index_.searched.push_back(std::move(resources));
  }

 private:
  void read_directory(SearchEntry& place, const struct stat& st, int reason) {
    if (reason == 0 && !S_ISDIR(st.st_mode)) reason = ENOTDIR;
    if (reason != 0) {
      place.usable = false;
      place.state = reason == ENOENT || reason == ENOTDIR
                        ? "does not exist"
                        : fmt::format("refused: {}", std::strerror(reason));
      return;
    }
    // The same directory may be named twice (a flag and the environment): reading it again would
    // only shadow itself.
    if (!seen_.insert({st.st_dev, st.st_ino}).second) {
      place.usable = false;
      place.state = "ignored: searched already";
      return;
    }
    try {
      check_trusted(trust_, place.path, st, "the directory");
    } catch (const Error& error) {
      refuse(place, error);
      return;
    }
    const auto files = manifests_in(place.path);
    if (!files) {
      refuse(place, Error(errno == EACCES ? Code::kDenied : Code::kUnavailable,
                          fmt::format("the directory {} cannot be read: {}", place.path,
                                      std::strerror(errno))));
      return;
    }
    for (const std::string& file : *files) read_file(file, place.origin);
  }

  void refuse(SearchEntry& place, const Error& error) {
    place.usable = false;
    place.state = "refused: " + error.message();
    spec::Problem problem;
    problem.where.file = place.path;
    problem.message = error.message();
    problem.hint = error.hint();
    problem.code = error.code();
    index_.problems.push_back(std::move(problem));
  }

  void read_file(const std::string& file, Origin origin) {
    if (!files_.insert(file).second) return;  // named by itself and found in its directory
    Manifest manifest = read_manifest(file, origin, trust_, index_.problems);
    index_.files.push_back(file);
    std::move(manifest.plugins.begin(), manifest.plugins.end(), std::back_inserter(index_.plugins));
    std::move(manifest.resources.begin(), manifest.resources.end(),
              std::back_inserter(index_.resources));
    for (DeviceTable& device : manifest.devices)
      index_.devices.try_emplace(device.name, std::move(device));
  }

  Index& index_;
  const TrustPolicy& trust_;
  std::set<std::pair<dev_t, ino_t>> seen_;
  std::set<std::string> files_;
};

void warn(Index& index, const spec::Position& where, std::string message) {
  index.problems.push_back(
      {spec::Severity::kWarning, where, {}, std::move(message), {}, Code::kConfig});
}

void apply_settings(Index& index, const AllPluginSettings& settings) {
  std::vector<std::string> ids;
  for (PluginEntry& plugin : index.plugins) {
    ids.push_back(plugin.id);
    const auto found = settings.find(plugin.id);
    if (found == settings.end()) continue;
    if (!found->second.enabled.value_or(true)) {
      plugin.enabled = false;
      plugin.disabled_by = spec::to_string(found->second.enabled_source);
    }
    merge_config(plugin.config, found->second.config);
  }
  for (const auto& [id, setting] : settings) {
    const auto near = spec::near_name(id, ids);
    if (!near || *near == id) continue;  // a plug-in of some other machine
    index.problems.push_back({spec::Severity::kWarning, setting.source, "plugins." + id,
                              "there is no plug-in of this id",
                              fmt::format("did you mean {}?", *near), Code::kConfig});
  }
}

// The first of an id wins whole, a disabled one too: that is how it masks the others.
void shadow_plugins(std::vector<PluginEntry>& plugins) {
  std::map<std::string_view, const PluginEntry*> first;
  for (PluginEntry& plugin : plugins) {
    const auto [place, fresh] = first.emplace(plugin.id, &plugin);
    if (fresh) continue;
    plugin.shadowed_by = spec::to_string(place->second->source);
    plugin.difference = difference_of(plugin, *place->second);
  }
}

void settle_name(Index& index, std::size_t plugin_at, std::size_t provided_at) {
  const PluginEntry& plugin = index.plugins[plugin_at];
  const Provided& provided = plugin.provides[provided_at];
  const auto [place, fresh] = index.names.emplace(std::pair(provided.group, provided.name),
                                                  Index::Name{plugin_at, provided_at});
  if (fresh) return;
  const PluginEntry& holder = index.plugins[place->second.plugin];
  const spec::Position held_at = holder.provides[place->second.provided].source;
  const char* what = noun(provided.group);
  // Later entries have less precedence, but a built-in name is not lost to a plug-in that did not
  // ask for it.
  const bool built_in_stays = plugin.origin == Origin::kVendor &&
                              holder.origin != Origin::kVendor && !holder.overrides &&
                              !plugin.error;
  if (built_in_stays) {
    place->second = {plugin_at, provided_at};
    warn(index, held_at,
         fmt::format("{} \"{}\" of {} is not used: {} ({}) is built in and stays; `override = "
                     "true` replaces it",
                     what, provided.name, holder.id, plugin.id, spec::to_string(provided.source)));
  } else if (!(holder.overrides && plugin.origin == Origin::kVendor)) {
    warn(index, provided.source,
         fmt::format("{} \"{}\" of {} is not used: {} ({}) provides it earlier", what,
                     provided.name, plugin.id, holder.id, spec::to_string(held_at)));
  }
}

void settle_names(Index& index) {
  for (std::size_t i = 0; i < index.plugins.size(); ++i) {
    const PluginEntry& plugin = index.plugins[i];
    if (!plugin.enabled || !plugin.shadowed_by.empty()) continue;
    for (std::size_t j = 0; j < plugin.provides.size(); ++j) settle_name(index, i, j);
  }
}

void settle_resources(Index& index) {
  index.resource_by_name.reserve(index.resources.size());
  for (std::size_t i = 0; i < index.resources.size(); ++i) {
    InlineResource& resource = index.resources[i];
    const auto [place, fresh] = index.resource_by_name.emplace(resource.name, i);
    if (!fresh) resource.shadowed_by = spec::to_string(index.resources[place->second].source);
  }
}

// A variant of a scheduler of some other machine is nobody's mistake; one that is nearly spelt as a scheduler of this
// one is.
void check_variants(Index& index) {
  std::vector<std::string> schedulers;
  for (const auto& [key, place] : index.names) {
    if (key.first == Group::kSchedulers) schedulers.push_back(key.second);
  }
  for (const InlineResource& resource : index.resources) {
    for (const ResourceVariant& variant : resource.variants) {
      const auto near = spec::near_name(variant.scheduler, schedulers);
      if (!near || *near == variant.scheduler) continue;
      index.problems.push_back(
          {spec::Severity::kWarning,
           variant.source,
           {},
           fmt::format("the resource {} is something else on the scheduler "
                       "{}, which does not exist",
                       spec::quoted(resource.name), spec::quoted(variant.scheduler)),
           fmt::format("did you mean {}?", *near),
           Code::kConfig});
    }
  }
}

}  // namespace

void Index::read(std::vector<SearchEntry> path, const TrustPolicy& trust,
                 const AllPluginSettings& settings) {
  Reader reader(*this, trust);
  for (SearchEntry& place : path) reader.read_place(std::move(place));
  shadow_plugins(plugins);  // before settings, which all of an id have in common
  apply_settings(*this, settings);
  settle_names(*this);
  settle_resources(*this);
  check_variants(*this);
}

}  // namespace slipway::registry
