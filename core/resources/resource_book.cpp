#include "core/resources/resource_book.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/registry/queries/query_results.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/problem.hpp"
#include "core/spec/validate.hpp"
#include "sdk/support/joined.hpp"
#include "slipway/error.hpp"

namespace slipway::resources {

using registry::Group;
using registry::InlineResource;

namespace {

/// Returns whether apps get the resource `name` from the provider if its library has it.
bool may_provide(const registry::Provided& provided, std::string_view name) {
  return provided.lists_resource(name) || !provided.lists_all_resources();
}

/// Returns why no app can use the plug-in's resource `name`, or nullopt if apps can.
std::optional<Error> fault_of(std::string_view name, const Resource& resource,
                              const std::string& plugin_id) {
  spec::ProblemList problems;
  spec::validate(resource, problems);
  if (problems.empty()) return std::nullopt;
  const spec::Problem first = problems.in_order().front();
  return Error(first.code,
               "the resource " + spec::quoted(name) + " of the plug-in " + plugin_id +
                   " is not usable: " + first.key + ": " + first.message,
               "report it to the plug-in's author, or define a resource of this name in a manifest",
               plugin_id);
}

}  // namespace

std::vector<ResourceBook::Provider>& ResourceBook::providers() {
  if (providers_) return *providers_;
  providers_.emplace();
  registry::Registry& registry = host_.registry();
  for (const std::string& name : registry.names_by_precedence(Group::kNamedResources)) {
    try {
      const registry::Provider provider = registry.find_provider(Group::kNamedResources, name);
      const registry::PluginEntry& plugin = *provider.plugin;
      providers_->push_back(
          {name, plugin.id, to_string(plugin.origin), *provider.provided, std::nullopt, false});
    } catch (const Error& error) {
      unavailable_.push_back("named-resource provider " + name + ": " + error.message());
    }
  }
  return *providers_;
}

void ResourceBook::ask(
    const std::vector<Provider*>& providers, const registry::PluginHost::Ask& ask,
    const registry::PluginHost::Enough& enough,
    const std::function<void(Provider& provider, std::string_view bytes)>& take) {
  std::vector<Provider*> asked;
  std::vector<std::string> names;
  for (Provider* provider : providers) {
    if (provider->failed) continue;
    asked.push_back(provider);
    names.push_back(provider->name);
  }
  const auto answers = host_.ask_each(Group::kNamedResources, names, ask, enough);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (!answers[i].error) {
      take(*asked[i], answers[i].bytes);
      continue;
    }
    asked[i]->failed = true;
    if (answers[i].lost) continue;  // the host has already reported it
    unavailable_.push_back("named-resource provider " + asked[i]->name + ": " +
                           answers[i].error->message());
  }
}

std::vector<ResourceBook::Found> ResourceBook::get_from(const std::vector<Provider*>& providers,
                                                        std::string_view name, Wanted wanted) {
  const auto get = [&](const std::string& provider) {
    std::optional<Resource> found = host_.resources(provider).get(name);
    return found ? registry::to_bytes(Dict<Resource>{{std::string(name), *std::move(found)}})
                 : std::string();
  };
  const auto enough = [&](const registry::ProviderAnswer& answer) {
    return wanted == Wanted::kFirst && !answer.bytes.empty();
  };
  std::vector<Found> out;
  ask(providers, get, enough, [&](const Provider& provider, std::string_view bytes) {
    if (bytes.empty()) return;
    out.push_back({std::move(registry::resources_from(bytes).front().second), &provider});
  });
  return out;
}

void ResourceBook::list_from(const std::vector<Provider*>& providers) {
  std::vector<Provider*> unasked;
  for (Provider* provider : providers) {
    if (!provider->listed) unasked.push_back(provider);
  }
  const auto list = [&](const std::string& provider) {
    return registry::to_bytes(host_.resources(provider).list());
  };
  ask(unasked, list, {}, [](Provider& provider, std::string_view bytes) {
    provider.listed = registry::resources_from(bytes);
  });
}

std::optional<Resource> ResourceBook::find_provided(std::string_view name) {
  // The cache helps because the roles of an app usually have the same resource.
  if (const auto found = answered_.find(name); found != answered_.end()) return found->second;
  std::vector<Provider*> listing;
  std::vector<Provider*> others;
  for (Provider& provider : providers()) {
    if (!may_provide(provider.provided, name)) continue;
    (provider.provided.lists_resource(name) ? listing : others).push_back(&provider);
  }
  std::vector<Found> found = get_from(listing, name, Wanted::kFirst);
  if (found.empty()) found = get_from(others, name, Wanted::kFirst);
  std::optional<Resource> out;
  if (!found.empty()) {
    if (auto fault = fault_of(name, found.front().resource, found.front().provider->plugin_id))
      throw *std::move(fault);
    out = std::move(found.front().resource);
  }
  answered_.emplace(name, out);
  return out;
}

std::optional<registry::ResolvedResource> ResourceBook::find_in_manifests(std::string_view name) {
  std::string missing;  // the base that no plug-in has
  const auto from_plugin = [&](std::string_view base) {
    std::optional<Resource> found = find_provided(base);
    if (!found) missing = base;
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
  if (auto inlined = find_in_manifests(name)) {
    spec::NamedResource out(std::move(inlined->resource));
    out.on_schedulers = std::move(inlined->on_schedulers);
    out.deprecated = std::move(inlined->deprecated);
    return out;
  }
  if (auto found = find_provided(name)) return spec::NamedResource(*std::move(found));
  return std::nullopt;
}

std::string ResourceBook::why_missing(std::string_view name) {
  const auto is_wanted = [&](const registry::PluginEntry& plugin,
                             const registry::Provided& provided) {
    return plugin.shadowed_by.empty() && provided.lists_resource(name);
  };
  return joined(host_.registry().unused_providers(Group::kNamedResources, is_wanted), "; ");
}

std::optional<Resource> ResourceBook::find(std::string_view name) {
  auto found = find_named(name);
  return found ? std::optional<Resource>(std::move(found->resource)) : std::nullopt;
}

void ResourceBook::throw_unknown(std::string_view name) {
  const std::vector<std::string> known = names();
  std::string hint = spec::did_you_mean(name, known);
  const std::string why = why_missing(name);
  if (hint.empty() && why.empty()) hint = "`slipway resource list` lists all";
  for (const std::string& other : unavailable_) hint += (hint.empty() ? "" : "; ") + other;
  std::string message = "unknown resource " + spec::quoted(name);
  if (!why.empty()) message += ": " + why;
  throw Error(Code::kNotFound, std::move(message), std::move(hint));
}

Resource ResourceBook::get(std::string_view name) {
  if (auto found = find(name)) return *std::move(found);
  throw_unknown(name);
}

Resource ResourceBook::get(std::string_view name, std::string_view scheduler) {
  auto found = find_named(name);
  if (!found) throw_unknown(name);
  if (const Resource* variant = slipway::find(found->on_schedulers, scheduler)) return *variant;
  return std::move(found->resource);
}

std::vector<std::string> ResourceBook::names() {
  std::vector<std::string> out;
  for (const InlineResource& resource : host_.registry().inline_resources())
    out.push_back(resource.name);
  std::vector<Provider*> unlisted;
  for (Provider& provider : providers()) {
    if (!provider.provided.lists_all_resources()) {
      unlisted.push_back(&provider);
      continue;
    }
    const std::vector<std::string>& listed = provider.provided.resources;
    out.insert(out.end(), listed.begin(), listed.end());
  }
  list_from(unlisted);
  for (const Provider* provider : unlisted) {
    if (!provider->listed) continue;
    for (const auto& [name, resource] : *provider->listed) out.push_back(name);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

ResourceEntry ResourceBook::entry_of_manifest(const InlineResource& resource) {
  ResourceEntry out;
  out.name = resource.name;
  out.source = spec::to_string(resource.source);
  out.origin = to_string(resource.origin);
  try {
    out.resolved = *find_in_manifests(resource.name);
  } catch (const Error& error) {
    out.error = error;
  }
  return out;
}

ResourceEntry ResourceBook::provided_entry(const Provider& provider, std::string_view name,
                                           const Resource& resource) {
  ResourceEntry out;
  out.name = name;
  out.source = provider.plugin_id;
  out.origin = provider.origin;
  out.error = fault_of(name, resource, provider.plugin_id);
  if (!out.error) {
    out.resolved.origins = registry::origins_of(out.name, resource);
    out.resolved.resource = resource;
  }
  return out;
}

std::vector<ResourceEntry> ResourceBook::entries() {
  std::map<std::string, ResourceEntry> all;
  for (const InlineResource& resource : host_.registry().inline_resources()) {
    if (resource.shadowed_by.empty()) {
      all.emplace(resource.name, entry_of_manifest(resource));
    } else {
      // The resource that shadows this one came earlier.
      all.at(resource.name).shadows.push_back(spec::to_string(resource.source));
    }
  }
  std::vector<Provider*> asked;
  for (Provider& provider : providers()) asked.push_back(&provider);
  list_from(asked);
  const auto add = [&](const Provider& provider, const std::string& name,
                       const Resource& resource) {
    const auto [place, is_new] = all.try_emplace(name);
    ResourceEntry& entry = place->second;
    if (!is_new) {
      entry.shadows.push_back(provider.plugin_id);
      return;
    }
    entry = provided_entry(provider, name, resource);
  };
  // A provider whose manifest lists a name wins over other providers that have a resource of that
  // name.
  for (const bool by_manifest : {true, false}) {
    for (const Provider* provider : asked) {
      if (!provider->listed) continue;
      for (const auto& [name, resource] : *provider->listed) {
        if (provider->provided.lists_resource(name) == by_manifest &&
            may_provide(provider->provided, name))
          add(*provider, name, resource);
      }
    }
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
      out = entry_of_manifest(resource);
    } else {
      out->shadows.push_back(spec::to_string(resource.source));
    }
  }
  std::vector<Provider*> in_order;
  for (Provider& provider : providers()) {
    if (may_provide(provider.provided, name)) in_order.push_back(&provider);
  }
  std::stable_partition(in_order.begin(), in_order.end(), [&](const Provider* provider) {
    return provider->provided.lists_resource(name);
  });
  for (Found& found : get_from(in_order, name, Wanted::kAll)) {
    if (out) {
      out->shadows.push_back(found.provider->plugin_id);
      continue;
    }
    out = provided_entry(*found.provider, name, found.resource);
  }
  if (!out) throw_unknown(name);
  return *std::move(out);
}

}  // namespace slipway::resources
