// Resolves named resources of manifests: adds the values that they inherit.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/manifests/inline_resource.hpp"
#include "slipway/app.hpp"

namespace slipway::registry {

/// The origin of the value of one field.
struct FieldOrigin {
  std::string field;     ///< as in FieldMarks
  std::string resource;  ///< the resource whose table sets it
  spec::Position where;  ///< place in the manifest; no file for a resource of a plug-in
};

/// A resource in force, with the values that it inherits.
struct ResolvedResource {
  Resource resource;
  Dict<Resource> on_schedulers;        ///< the variants, by scheduler
  spec::Position source;               ///< place of the resource's own table
  std::vector<std::string> inherited;  ///< names of the bases and aliased resources, nearest first
  std::string deprecated;              ///< the advice to users of a deprecated resource, or empty
  std::vector<FieldOrigin> origins;    ///< of each field of `resource`
};

/// Finds a resource that no manifest defines, for instance in a plug-in. Returns nullopt for an
/// unknown name. May throw.
using BaseLookup = std::function<std::optional<Resource>(std::string_view name)>;

/// Finds the inline resource in force with that name. Returns nullptr for an unknown name.
using InlineLookup = std::function<const InlineResource*(std::string_view name)>;

/// Returns `resource` with the values that it inherits. Counts that it does not set come from the
/// base. Capabilities and devices are merged by key; its own values win. Tags are not inherited.
/// These are the rules of TorchX's Resource.copy. An alias equals the resource that it names, tags
/// included. Finds bases with `inlined`, then with `external`, which may be empty; the resource and
/// all of them are a chain.
///
/// On a scheduler with variants, each resource of the chain gets the values of its variant first,
/// and then its heir is applied. The tags of a variant, if any, replace the resource's tags.
///
/// Throws Error(kConfig): at the place of `inherits` or `alias_of` for a cycle (the message shows
/// the chain) and for an unknown base; at the place of the error if the resource or a base has an
/// error. Also throws what `external` throws.
ResolvedResource resolve_inline_resource(const InlineResource& resource,
                                         const InlineLookup& inlined, const BaseLookup& external);

/// Returns the origins of a plug-in's resource: each field that it sets, without a place.
std::vector<FieldOrigin> origins_of(const std::string& name, const Resource& resource);

}  // namespace slipway::registry
