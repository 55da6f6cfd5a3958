// A named resource written in a manifest, without a library.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/search_path.hpp"
#include "core/spec/fields.hpp"
#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"
#include "slipway/app.hpp"

namespace slipway::registry {

/// A [named_resources."NAME"] table as written: only what the file says, the other counts are -1.
struct InlineResource {
  std::string name;
  Resource own;
  std::string inherits;  ///< name of another resource; empty: none
  spec::Position inherits_source;
  Origin origin = Origin::kVendor;
  spec::Position source;
  /// The first thing wrong with the table. It still shadows later ones of its name: falling back to
  /// another resource of that name in silence would be worse.
  std::optional<spec::Problem> error;
  /// Where the resource of this name stands that wins over this one, "file:line:column"; set by the
  /// index; empty: in force.
  std::string shadowed_by;
};

/// A resource in force, with everything it inherits filled in.
struct ResolvedResource {
  Resource resource;
  spec::Position source;               ///< of the resource itself, not of what it inherits
  std::vector<std::string> inherited;  ///< the names it inherits from, nearest first
};

/// Looks up a resource that no manifest defines, in libraries for instance; nullopt: there is none.
/// May throw.
using BaseLookup = std::function<std::optional<Resource>(std::string_view name)>;

/// The inline resource of a name that is in force, or nullptr.
using InlineLookup = std::function<const InlineResource*(std::string_view name)>;

/// Reads the value of [named_resources]. Wrong tables keep their `error`; unknown keys are
/// warnings.
std::vector<InlineResource> read_inline_resources(spec::Node& tables, const std::string& file,
                                                  Origin origin, spec::ProblemList& problems);

/// Fills in what `resource` inherits: counts that it does not say and devices come from the base,
/// capabilities are merged with its own winning, tags are its own alone (Resource.copy). Bases are
/// asked of `inlined`, then of `external`.
///
/// Throws Error(kConfig): with the place of `inherits` for a cycle (the message shows the chain)
/// and for a base that nobody knows; with the place of the error for a resource or base that is
/// wrong.
ResolvedResource resolve_inline_resource(const InlineResource& resource,
                                         const InlineLookup& inlined, const BaseLookup& external);

}  // namespace slipway::registry
