// Named resources with everything that they inherit filled in.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/manifests/inline_resource.hpp"
#include "slipway/app.hpp"

namespace slipway::registry {

/// Where the value of one field comes from.
struct FieldOrigin {
  std::string field;     ///< as in FieldMarks
  std::string resource;  ///< the resource whose table says it
  spec::Position where;  ///< no file: the resource is a plug-in's
};

/// A resource in force, with everything it inherits filled in.
struct ResolvedResource {
  Resource resource;
  Dict<Resource> on_schedulers;  ///< where it is something else, by scheduler
  spec::Position source;         ///< of the resource itself, not of what it inherits
  std::vector<std::string>
      inherited;           ///< the names it inherits from or is an alias of, nearest first
  std::string deprecated;  ///< what to use instead, or empty
  std::vector<FieldOrigin> origins;  ///< of `resource`; capabilities, devices and tags each by key
};

/// Looks up a resource that no manifest defines, in libraries for instance; nullopt: there is none.
/// May throw.
using BaseLookup = std::function<std::optional<Resource>(std::string_view name)>;

/// The inline resource of a name that is in force, or nullptr.
using InlineLookup = std::function<const InlineResource*(std::string_view name)>;

/// Fills in what `resource` inherits: counts that it does not say come from the base, capabilities
/// and devices are merged with its own winning, tags are its own alone (TorchX's Resource.copy).
/// Bases are asked of `inlined`, then of `external`. An alias is what it stands for, tags included.
///
/// On a scheduler that has a variant somewhere in the chain, each resource's variant is laid over
/// it (its tags, if it has any, in place of the resource's) before the heir's own values are.
///
/// Throws Error(kConfig): with the place of `inherits` or `alias_of` for a cycle (the message shows
/// the chain) and for a base that nobody knows; with the place of the error for a resource or base
/// that is wrong.
ResolvedResource resolve_inline_resource(const InlineResource& resource,
                                         const InlineLookup& inlined, const BaseLookup& external);

/// The origins of a plug-in's resource: each field that it has, without a place.
std::vector<FieldOrigin> origins_of(const std::string& name, const Resource& resource);

}  // namespace slipway::registry
