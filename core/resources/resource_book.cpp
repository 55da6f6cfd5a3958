#include "core/resources/resource_book.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/spec/near_name.hpp"
#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway::resources {

using registry::Group;
using registry::InlineResource;

std::vector<ResourceBook::Provider>& ResourceBook::providers() {
  if (providers_) return *providers_;
  providers_.emplace();
  registry::Registry& registry = host_.registry();
  for (const std::string& name : registry.names_by_precedence(Group::kNamedResources)) {
    try {
      const registry::PluginEntry& plugin =
          *registry.find_provider(Group::kNamedResources, name).plugin;
      providers_->push_back({name, plugin.id, to_string(plugin.origin), std::nullopt, false});
    } catch (const Error& error) {
      unavailable_.push_back("named-resource provider " + name + ": " + error.message());
    }
  }
  return *providers_;
}

template <class Ask>
void ResourceBook::ask_provider(Provider& provider, Ask ask) {
  if (provider.failed) return;
  try {
    if (!provider.resources) provider.resources.emplace(host_.resources(provider.name));
    ask(*provider.resources);
  } catch (const Error& error) {
    provider.failed = true;
    unavailable_.push_back("named-resource provider " + provider.name + ": " + error.message());
  }
}

std::vector<ResourceBook::Found> ResourceBook::provided(std::string_view name) {
  std::vector<Found> out;
  for (Provider& provider : providers()) {
    ask_provider(provider, [&](const registry::AdoptedResources& resources) {
      if (auto found = resources.get(name)) out.push_back({*std::move(found), &provider});
    });
  }
  return out;
}

std::optional<registry::ResolvedResource> ResourceBook::find_inlined(std::string_view name) {
  std::string missing;  // the base that nobody has
  const auto from_plugin = [&](std::string_view base) {
    std::optional<Resource> found;
    for (Provider& provider : providers()) {
      ask_provider(provider, [&](const registry::AdoptedResources& resources) {
        found = resources.get(base);
      });
      if (found) return found;
    }
    missing = base;
    return found;
  };
  try {
    return host_.registry().find_inline_resource(name, from_plugin);
  } catch (const Error& error) {
    const std::string near = missing.empty() ? std::string() : spec::did_you_mean(missing, names());
    if (near.empty()) throw;
    throw Error(error.code(), error.message(), near, error.where());
  }
}

std::optional<spec::NamedResource> ResourceBook::find_named(std::string_view name) {
  if (auto inlined = find_inlined(name)) {
    spec::NamedResource out(std::move(inlined->resource));
    out.on_schedulers = std::move(inlined->on_schedulers);
    out.deprecated = std::move(inlined->deprecated);
    return out;
  }
  for (Provider& provider : providers()) {
    std::optional<Resource> found;
    ask_provider(provider,
                 [&](const registry::AdoptedResources& resources) { found = resources.get(name); });
    if (found) return spec::NamedResource(*std::move(found));
  }
  return std::nullopt;
}

std::optional<Resource> ResourceBook::find(std::string_view name) {
  auto found = find_named(name);
  return found ? std::optional<Resource>(std::move(found->resource)) : std::nullopt;
}

void ResourceBook::throw_unknown(std::string_view name) {
  const std::vector<std::string> known = names();
  std::string hint = spec::did_you_mean(name, known);
  for (const std::string& other : unavailable_) hint += (hint.empty() ? "" : "; ") + other;
  throw Error(Code::kNotFound, "unknown resource " + spec::quoted(name), std::move(hint));
}

Resource ResourceBook::get(std::string_view name) {
  if (auto found = find(name)) return *std::move(found);
  throw_unknown(name);
}

Resource ResourceBook::get(std::string_view name, std::string_view scheduler) {
  auto found = find_named(name);
  if (!found) throw_unknown(name);
  if (const Resource* special = slipway::find(found->on_schedulers, scheduler)) return *special;
  return std::move(found->resource);
}

std::vector<std::string> ResourceBook::names() {
  std::vector<std::string> out;
  for (const InlineResource& resource : host_.registry().inline_resources())
    out.push_back(resource.name);
  for (Provider& provider : providers()) {
    ask_provider(provider, [&](const registry::AdoptedResources& resources) {
      for (const auto& [name, resource] : resources.list()) out.push_back(name);
    });
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

ResourceEntry ResourceBook::inline_entry(const InlineResource& resource) {
  ResourceEntry out;
  out.name = resource.name;
  out.source = spec::to_string(resource.source);
  out.origin = to_string(resource.origin);
  try {
    out.resolved = *find_inlined(resource.name);
  } catch (const Error& error) {
    out.error = error;
  }
  return out;
}

std::vector<ResourceEntry> ResourceBook::entries() {
  std::map<std::string, ResourceEntry> all;
  for (const InlineResource& resource : host_.registry().inline_resources()) {
    if (resource.shadowed_by.empty()) {
      all.emplace(resource.name, inline_entry(resource));
    } else {
      all.at(resource.name).shadows.push_back(spec::to_string(resource.source));
    }
  }
  for (Provider& provider : providers()) {
    ask_provider(provider, [&](const registry::AdoptedResources& resources) {
      for (auto& [name, resource] : resources.list()) {
        const auto [place, fresh] = all.try_emplace(name);
        ResourceEntry& entry = place->second;
        if (!fresh) {
          entry.shadows.push_back(provider.plugin_id);
          continue;
        }
        entry.name = name;
        entry.source = provider.plugin_id;
        entry.origin = provider.origin;
        entry.resolved.origins = registry::origins_of(name, resource);
        entry.resolved.resource = std::move(resource);
      }
    });
  }
  std::vector<ResourceEntry> out;
  out.reserve(all.size());
  for (auto& [name, entry] : all) out.push_back(std::move(entry));
  return out;
}

ResourceEntry ResourceBook::entry(std::string_view name) {
  std::optional<ResourceEntry> out;
  for (const InlineResource& resource : host_.registry().inline_resources()) {
    if (resource.name != name) continue;
    if (!out) {
      out = inline_entry(resource);
    } else {
      out->shadows.push_back(spec::to_string(resource.source));
    }
  }
  for (Found& found : provided(name)) {
    if (out) {
      out->shadows.push_back(found.provider->plugin_id);
      continue;
    }
    out.emplace();
    out->name = name;
    out->source = found.provider->plugin_id;
    out->origin = found.provider->origin;
    out->resolved.origins = registry::origins_of(out->name, found.resource);
    out->resolved.resource = std::move(found.resource);
  }
  if (!out) throw_unknown(name);
  return *std::move(out);
}

}  // namespace slipway::resources
