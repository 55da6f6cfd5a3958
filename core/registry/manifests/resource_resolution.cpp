#include "core/registry/manifests/resource_resolution.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/json.hpp>
#include <tuple>
#include <utility>

#include "core/spec/resource_copy.hpp"
#include "sdk/support/deep_json.hpp"
#include "slipway/error.hpp"

namespace slipway::registry {
namespace {

constexpr std::string_view kTags = "tags.";

boost::json::object object_of(const std::string& text) {
  return text.empty() ? boost::json::object() : parse_deep_json(text).as_object();
}

void throw_if_wrong(const InlineResource& resource) {
  if (!resource.error) return;
  throw Error(Code::kConfig,
              fmt::format("the resource \"{}\" is not usable: {}: {}", resource.name,
                          resource.error->key, resource.error->message),
              resource.error->hint, spec::to_string(resource.error->where));
}

// Returns `base` with the values of `own` applied, and only the tags of `own`.
Resource lay_over(const Resource& base, const Resource& own) {
  Resource merged = spec::copy_resource(base, object_of(own.capabilities_json));
  if (own.cpu.is_set()) merged.cpu = own.cpu;
  if (own.gpu != -1) merged.gpu = own.gpu;
  if (own.mem_mb != -1) merged.mem_mb = own.mem_mb;
  for (const auto& [device, count] : own.devices) slipway::set(merged.devices, device, count);
  merged.tags_json = own.tags_json;
  return merged;
}

/// A resource and its bases, nearest first. `external` is the last base if a plug-in has it.
struct Chain {
  std::vector<const InlineResource*> links;
  std::optional<Resource> external;
  std::string external_name;
};

const std::string& base_of(const InlineResource& resource) {
  return resource.alias_of.empty() ? resource.inherits : resource.alias_of;
}

// `cycle` has the resources of a cycle: each has the next one as base, and the last the first.
// Reports the cycle in the same way for all of them, at its first place.
[[noreturn]] void throw_cycle(const InlineResource& start,
                              std::vector<const InlineResource*> cycle) {
  const auto place = [](const InlineResource* resource) {
    const spec::Position& at = resource->base_source;
    return std::tie(at.file, at.line, at.column);
  };
  const bool is_member = std::find(cycle.begin(), cycle.end(), &start) != cycle.end();
  const auto earlier = [&](const auto* one, const auto* other) {
    return place(one) < place(other);
  };
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end(), earlier), cycle.end());
  const InlineResource& first = *cycle.front();
  std::string path;
  for (const InlineResource* each : cycle) path += each->name + " -> ";
  const char* verb = first.alias_of.empty() ? "inherits from" : "is an alias of";
  const char* key = first.alias_of.empty() ? "inherits" : "alias_of";
  const std::string subject =
      is_member ? fmt::format("the resource \"{}\"", first.name)
                : fmt::format("the base \"{}\" of the resource \"{}\"", first.name, start.name);
  throw Error(Code::kConfig, fmt::format("{} {} itself: {}{}", subject, verb, path, first.name),
              fmt::format("remove one `{}` of this cycle", key),
              spec::to_string(first.base_source));
}

// Returns the chain of `resource`, and appends the names of its bases to `names`.
Chain chain_of(const InlineResource& resource, const InlineLookup& inlined,
               const BaseLookup& external, std::vector<std::string>& names) {
  throw_if_wrong(resource);
  Chain chain;
  chain.links.push_back(&resource);
  while (!base_of(*chain.links.back()).empty()) {
    const InlineResource& heir = *chain.links.back();
    const std::string& base = base_of(heir);
    names.push_back(base);
    const InlineResource* next = inlined(base);
    if (next == nullptr) {
      if (external) chain.external = external(base);
      chain.external_name = base;
      if (chain.external) break;
      throw Error(Code::kConfig,
                  fmt::format("the resource \"{}\" {} \"{}\", which does not exist", heir.name,
                              heir.alias_of.empty() ? "inherits from" : "is an alias of", base),
                  "name a resource of a manifest or plug-in on the search path",
                  spec::to_string(heir.base_source));
    }
    const auto again = std::find(chain.links.begin(), chain.links.end(), next);
    if (again != chain.links.end()) throw_cycle(resource, {again, chain.links.end()});
    throw_if_wrong(*next);
    chain.links.push_back(next);
  }
  return chain;
}

/// Applies the tables of a chain, from the last base to the resource.
class Stack {
 public:
  Stack(const Chain& chain, std::string_view scheduler) : scheduler_(scheduler) {
    if (chain.external) {
      resource = *chain.external;
      origins = origins_of(chain.external_name, resource);
      empty_ = false;
    }
    for (auto link = chain.links.rbegin(); link != chain.links.rend(); ++link) add(**link);
  }

  Resource resource;
  std::vector<FieldOrigin> origins;

 private:
  void add(const InlineResource& link) {
    if (!link.alias_of.empty()) return;
    if (!empty_) drop_tag_origins();
    resource = empty_ ? link.own : lay_over(resource, link.own);
    empty_ = false;
    set_origins(link.marks, link);
    for (const ResourceVariant& variant : link.variants) {
      if (variant.scheduler != scheduler_) continue;
      std::string tags = std::exchange(resource.tags_json, {});
      resource = lay_over(resource, variant.own);
      if (resource.tags_json.empty()) {
        resource.tags_json = std::move(tags);
      } else {
        drop_tag_origins();
      }
      set_origins(variant.marks, link);
    }
  }

  void drop_tag_origins() {
    std::erase_if(origins,
                  [](const FieldOrigin& origin) { return origin.field.rfind(kTags, 0) == 0; });
  }

  void set_origins(const FieldMarks& marks, const InlineResource& link) {
    for (const auto& [field, mark] : marks) {
      FieldOrigin origin{field, link.name, {link.source.file, mark.line, mark.column}};
      const auto same = std::find_if(origins.begin(), origins.end(), [&](const FieldOrigin& other) {
        return other.field == origin.field;
      });
      if (same == origins.end()) {
        origins.push_back(std::move(origin));
      } else {
        *same = std::move(origin);
      }
    }
  }

  std::string_view scheduler_;  // whose variants are applied; empty for none
  bool empty_ = true;
};

}  // namespace

std::vector<FieldOrigin> origins_of(const std::string& name, const Resource& resource) {
  std::vector<FieldOrigin> out;
  const auto add = [&](std::string field) { out.push_back({std::move(field), name, {}}); };
  if (resource.cpu.is_set()) add("cpu");
  if (resource.gpu != -1) add("gpu");
  if (resource.mem_mb != -1) add("memMB");
  for (const auto& entry : object_of(resource.capabilities_json))
    add("capabilities." + std::string(entry.key()));
  for (const auto& [device, count] : resource.devices) add("devices." + device);
  for (const auto& entry : object_of(resource.tags_json))
    add(std::string(kTags) + std::string(entry.key()));
  return out;
}

ResolvedResource resolve_inline_resource(const InlineResource& resource,
                                         const InlineLookup& inlined, const BaseLookup& external) {
  ResolvedResource resolved;
  resolved.source = resource.source;
  const Chain chain = chain_of(resource, inlined, external, resolved.inherited);
  // An alias of a deprecated resource is deprecated; a resource with a deprecated base is not.
  for (const InlineResource* link : chain.links) {
    if (resolved.deprecated.empty()) resolved.deprecated = link->deprecated;
    if (link->alias_of.empty()) break;
  }
  Stack without_variants(chain, {});
  resolved.resource = std::move(without_variants.resource);
  resolved.origins = std::move(without_variants.origins);
  for (const InlineResource* link : chain.links) {
    for (const ResourceVariant& variant : link->variants) {
      if (slipway::find(resolved.on_schedulers, variant.scheduler) == nullptr)
        slipway::set(resolved.on_schedulers, variant.scheduler,
                     Stack(chain, variant.scheduler).resource);
    }
  }
  return resolved;
}

}  // namespace slipway::registry
