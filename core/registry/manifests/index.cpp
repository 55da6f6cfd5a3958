#include "core/registry/manifests/index.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "core/registry/manifests/manifest_texts.hpp"
#include "core/spec/near_name.hpp"

namespace slipway::registry {
namespace {

void take(Index& index, Manifest manifest) {
  std::move(manifest.plugins.begin(), manifest.plugins.end(), std::back_inserter(index.plugins));
  std::move(manifest.resources.begin(), manifest.resources.end(),
            std::back_inserter(index.resources));
  for (DeviceTable& device : manifest.devices)
    index.devices.try_emplace(device.name, std::move(device));
}

// Of every text; those that a refusal stands for are empty.
using Manifests = std::vector<std::optional<Manifest>>;

Manifests parse_all(const std::vector<ManifestText>& texts, std::vector<spec::Problem>& problems) {
  Manifests out;
  for (const ManifestText& text : texts) {
    if (text.refused) {
      problems.push_back(*text.refused);
      out.emplace_back();
    } else {
      out.emplace_back(parse_manifest(text.text, text.file, text.origin, problems));
    }
  }
  return out;
}

// Those that say anything about `name`, or about the ids of plug-ins that do: one of the same id
// can mask them.
Manifests parse_about(const std::string& name, const std::vector<ManifestText>& texts,
                      std::vector<spec::Problem>& problems) {
  Manifests out(texts.size());
  std::vector<std::string> words = {name};
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (out[i] || texts[i].refused || !may_mention(texts[i], words)) continue;
      out[i] = parse_manifest(texts[i].text, texts[i].file, texts[i].origin, problems);
      for (const PluginEntry& plugin : out[i]->plugins) words.push_back(plugin.id);
      more = true;
    }
  }
  return out;
}

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

std::string names_text(const PluginEntry& plugin) {
  std::string out;
  for (const Provided& provided : plugin.provides) out += (out.empty() ? "" : ", ") + provided.name;
  return out.empty() ? "nothing" : out;
}

std::string config_text(const PluginEntry& plugin) {
  std::string out;
  spec::append_json(plugin.config, out);
  return out;
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string difference_of(const PluginEntry& loser, const PluginEntry& winner) {
  const auto differ = [](const char* what, const std::string& mine, const std::string& other) {
    const auto said = [](const std::string& text) { return text.empty() ? "none" : text; };
    return mine == other ? std::string()
                         : fmt::format("{} {} and not {}", what, said(mine), said(other));
  };
  std::vector<std::string> differences = {
      differ("version", loser.version, winner.version),
      differ("library", file_name(loser.library), file_name(winner.library)),
      differ("sha256", loser.sha256, winner.sha256),
      differ("it provides", names_text(loser), names_text(winner)),
      differ("config", config_text(loser), config_text(winner))};
  if (!winner.enabled) differences = {loser.enabled ? "that one is disabled" : ""};
  std::string out;
  for (const std::string& each : differences) {
    if (!each.empty()) out += (out.empty() ? "" : "; ") + each;
  }
  return out;
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

// A variant of a scheduler of some other machine is nobody's mistake; one that is nearly spelt as a
// scheduler of this one is.
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

void Index::settle(std::vector<std::optional<Manifest>> manifests,
                   const AllPluginSettings& settings) {
  for (std::optional<Manifest>& manifest : manifests) {
    if (manifest) take(*this, std::move(*manifest));
  }
  shadow_plugins(plugins);  // before settings, which all of an id have in common
  apply_settings(*this, settings);
  settle_names(*this);
  settle_resources(*this);
  check_variants(*this);
}

void Index::read(std::vector<SearchEntry> path, const TrustPolicy& trust,
                 const AllPluginSettings& settings) {
  const auto texts = read_manifest_texts(std::move(path), trust, searched);
  settle(parse_all(texts, problems), settings);
}

void Index::read_about(const std::string& name, std::vector<SearchEntry> path,
                       const TrustPolicy& trust, const AllPluginSettings& settings) {
  const auto texts = read_manifest_texts(std::move(path), trust, searched);
  settle(parse_about(name, texts, problems), settings);
}

}  // namespace slipway::registry
