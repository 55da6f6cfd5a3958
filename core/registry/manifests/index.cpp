#include "core/registry/manifests/index.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "core/spec/near_name.hpp"
#include "sdk/support/joined.hpp"

namespace slipway::registry {
namespace {

// Appends the entries of one manifest.
void append(Index& index, Manifest manifest) {
  std::move(manifest.plugins.begin(), manifest.plugins.end(), std::back_inserter(index.plugins));
  std::move(manifest.resources.begin(), manifest.resources.end(),
            std::back_inserter(index.resources));
  for (DeviceTable& device : manifest.devices)
    index.devices.try_emplace(device.name, std::move(device));
}

// Returns false if `manifest` certainly mentions none of `words`, which are names and ids. Returns
// true for any text with a backslash, because escapes may spell a word.
bool may_mention(const ManifestText& manifest, const std::vector<std::string>& words) {
  const std::string& text = manifest.text;
  return text.find('\\') != std::string::npos ||
         std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

// Parses the texts that may mention `name`, and those that may mention an id of their plug-ins,
// because an entry of the same id may shadow or disable a plug-in. The result has nullopt for the
// other texts.
std::vector<std::optional<Manifest>> parse_some(const std::string& name,
                                                const std::vector<ManifestText>& texts,
                                                std::vector<spec::Problem>& problems) {
  std::vector<std::optional<Manifest>> out(texts.size());
  std::vector<std::string> words = {name};
  for (bool has_new_words = true; has_new_words;) {
    has_new_words = false;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (out[i] || texts[i].refused || !may_mention(texts[i], words)) continue;
      out[i] = parse_manifest(texts[i].text, texts[i].file, texts[i].origin, problems);
      for (const PluginEntry& plugin : out[i]->plugins) words.push_back(plugin.id);
      has_new_words = true;
    }
  }
  return out;
}

void warn(Index& index, const spec::Position& where, std::string message, std::string hint) {
  index.problems.push_back(
      {spec::Severity::kWarning, where, {}, std::move(message), std::move(hint), Code::kConfig});
}

// Returns how a manifest lists the provider under another name, `{ name = "hq2", entry = "hq" }`.
std::string under_another_name(const Provided& provided) {
  return fmt::format("{{ name = \"{}2\", entry = \"{}\" }}", provided.name, provided.entry);
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
    if (!near || *near == id) continue;  // the settings may be for another machine
    index.problems.push_back({spec::Severity::kWarning, setting.source, "plugins." + id,
                              "no plug-in has this id", fmt::format("did you mean {}?", *near),
                              Code::kConfig});
  }
}

// Returns the names that the plug-in provides, for a message.
std::string names_text(const PluginEntry& plugin) {
  if (plugin.provides.empty()) return "nothing";
  return joined(plugin.provides, ", ", [](const Provided& provided) { return provided.name; });
}

std::string config_text(const PluginEntry& plugin) {
  std::string out;
  spec::append_json(plugin.config, out);
  return out;
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Returns how `loser` differs from the entry that shadows it, such as "version 1.2 and not 1.3;
// library …"; an empty text for an equal entry.
std::string difference_of(const PluginEntry& loser, const PluginEntry& winner) {
  const auto differ = [](const char* what, const std::string& mine, const std::string& other) {
    const auto or_none = [](const std::string& text) { return text.empty() ? "none" : text; };
    return mine == other ? std::string()
                         : fmt::format("{} {} and not {}", what, or_none(mine), or_none(other));
  };
  std::vector<std::string> differences = {
      differ("version", loser.version, winner.version),
      differ("library", file_name(loser.library), file_name(winner.library)),
      differ("sha256", loser.sha256, winner.sha256),
      differ("it provides", names_text(loser), names_text(winner)),
      differ("config", config_text(loser), config_text(winner))};
  // A disabled entry needs no more than its id, so its other values say nothing.
  if (!winner.enabled) differences = {loser.enabled ? "the other one is disabled" : ""};
  std::string out;
  for (const std::string& each : differences) {
    if (!each.empty()) out += (out.empty() ? "" : "; ") + each;
  }
  return out;
}

// Marks all but the first entry of each id as shadowed. A disabled entry shadows others as well,
// which is how a manifest disables a plug-in of a later place.
void shadow_plugins(std::vector<PluginEntry>& plugins) {
  std::map<std::string_view, const PluginEntry*> first;
  for (PluginEntry& plugin : plugins) {
    const auto [place, is_new] = first.emplace(plugin.id, &plugin);
    if (is_new) continue;
    plugin.shadowed_by = spec::to_string(place->second->source);
    plugin.difference = difference_of(plugin, *place->second);
  }
}

bool takes_part(const PluginEntry& plugin) { return plugin.enabled && plugin.shadowed_by.empty(); }

using Names = std::map<std::pair<Group, std::string>, Index::Name>;

// Returns the providers of built-in plug-ins that can be used.
Names built_in_names(const Index& index) {
  Names out;
  for (std::size_t i = 0; i < index.plugins.size(); ++i) {
    const PluginEntry& plugin = index.plugins[i];
    if (plugin.origin != Origin::kVendor || plugin.error || !takes_part(plugin)) continue;
    for (std::size_t j = 0; j < plugin.provides.size(); ++j)
      out.emplace(std::pair(plugin.provides[j].group, plugin.provides[j].name), Index::Name{i, j});
  }
  return out;
}

// Enters one provider into the names in force, or warns that another one keeps its name. A provider
// without `override` does not take the name of a built-in one that can be used.
void enter_name(Index& index, const Names& built_in, std::size_t plugin_at,
                std::size_t provided_at) {
  const PluginEntry& plugin = index.plugins[plugin_at];
  const Provided& provided = plugin.provides[provided_at];
  const std::pair key(provided.group, provided.name);
  const char* what = noun(provided.group);
  const auto stays = built_in.find(key);
  if (plugin.origin != Origin::kVendor && !plugin.overrides && stays != built_in.end()) {
    const PluginEntry& holder = index.plugins[stays->second.plugin];
    warn(index, provided.source,
         fmt::format("{} \"{}\" of {} is not used, because {} ({}) is built in; `override = "
                     "true` replaces it",
                     what, provided.name, plugin.id, holder.id,
                     spec::to_string(holder.provides[stays->second.provided].source)),
         "or list it under another name: " + under_another_name(provided));
    return;
  }
  const auto [place, is_new] = index.names.emplace(key, Index::Name{plugin_at, provided_at});
  if (is_new) return;
  const PluginEntry& holder = index.plugins[place->second.plugin];
  // Does not warn of a replacement that `override` asks for.
  if (holder.overrides && plugin.origin == Origin::kVendor) return;
  const spec::Position held_at = holder.provides[place->second.provided].source;
  warn(index, provided.source,
       fmt::format("{} \"{}\" of {} is not used, because {} ({}) precedes it", what, provided.name,
                   plugin.id, holder.id, spec::to_string(held_at)),
       fmt::format("to use both, list it under another name: {}; to use only this one, move its "
                   "manifest to an earlier place, or disable {}",
                   under_another_name(provided), holder.id));
}

void enter_names(Index& index) {
  const Names built_in = built_in_names(index);
  for (std::size_t i = 0; i < index.plugins.size(); ++i) {
    if (!takes_part(index.plugins[i])) continue;
    for (std::size_t j = 0; j < index.plugins[i].provides.size(); ++j)
      enter_name(index, built_in, i, j);
  }
}

void enter_resources(Index& index) {
  index.resource_by_name.reserve(index.resources.size());
  for (std::size_t i = 0; i < index.resources.size(); ++i) {
    InlineResource& resource = index.resources[i];
    const auto [place, is_new] = index.resource_by_name.emplace(resource.name, i);
    if (!is_new) resource.shadowed_by = spec::to_string(index.resources[place->second].source);
  }
}

// Warns about variants whose scheduler looks like a misspelt one. Other unknown schedulers may
// exist on other machines.
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
           fmt::format("the resource {} has a variant for the scheduler "
                       "{}, which does not exist",
                       spec::quoted(resource.name), spec::quoted(variant.scheduler)),
           fmt::format("did you mean {}?", *near),
           Code::kConfig});
    }
  }
}

}  // namespace

void Index::parse(const std::vector<ManifestText>& texts, const AllPluginSettings& settings) {
  for (const ManifestText& text : texts) {
    if (text.refused) {
      problems.push_back(*text.refused);
    } else {
      append(*this, parse_manifest(text.text, text.file, text.origin, problems));
    }
  }
  complete(settings);
}

void Index::parse_about(const std::string& name, const std::vector<ManifestText>& texts,
                        const AllPluginSettings& settings) {
  for (std::optional<Manifest>& manifest : parse_some(name, texts, problems)) {
    if (manifest) append(*this, *std::move(manifest));
  }
  complete(settings);
}

void Index::complete(const AllPluginSettings& settings) {
  shadow_plugins(plugins);  // compares entries before settings make them equal
  apply_settings(*this, settings);
  enter_names(*this);
  enter_resources(*this);
  check_variants(*this);
}

}  // namespace slipway::registry
