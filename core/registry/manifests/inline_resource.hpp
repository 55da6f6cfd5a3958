// Reads [named_resources.NAME] of a manifest: a named resource without a library.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/registry/manifests/search_path.hpp"
#include "core/spec/fields.hpp"
#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"
#include "slipway/app.hpp"

namespace slipway::registry {

/// The fields of one table with their places. The names are `cpu`, `gpu`, `memMB`,
/// `capabilities.KEY`, `devices.KEY` and `tags.KEY`.
using FieldMarks = std::vector<std::pair<std::string, spec::Mark>>;

/// The values of a resource on one scheduler: [named_resources.NAME.SCHEDULER].
struct ResourceVariant {
  std::string scheduler;
  Resource own;  ///< the values of the table; -1 for counts that it does not set
  FieldMarks marks;
  spec::Position source;
};

/// A [named_resources.NAME] table as written, before inheritance.
struct InlineResource {
  std::string name;
  Resource own;  ///< the values of the table; -1 for counts that it does not set
  FieldMarks marks;
  std::vector<ResourceVariant> variants;
  std::string inherits;  ///< the name of the base, or empty
  /// The name of the resource for which this one is an alias, or empty. An alias sets no values.
  std::string alias_of;
  spec::Position base_source;  ///< place of `inherits` or `alias_of`
  std::string deprecated;      ///< the advice to users of a deprecated resource, or empty
  Origin origin = Origin::kVendor;
  spec::Position source;
  /// The first error of the table. A table with an error still shadows later ones of its name, so
  /// that no other resource silently takes its place.
  std::optional<spec::Problem> error;
  /// The place of the resource that shadows this one, "file:line:column", or empty. Set by Index.
  std::string shadowed_by;
};

/// Reads the value of [named_resources]. Adds errors, and warnings about unknown keys, to
/// `problems`. A table with errors is in the result, with its first error. A second table of one
/// name is only an error.
///
/// The tables of a resource that are named capabilities, devices or tags, or similarly, hold its
/// fields. A table that contains only tables of other names is a part of names:
/// [named_resources.gpu.small] is the resource "gpu.small", like [named_resources."gpu.small"]. In
/// a table with other content, a table of another name is a variant for the scheduler of that name.
std::vector<InlineResource> read_inline_resources(spec::Node& tables, const std::string& file,
                                                  Origin origin, spec::ProblemList& problems);

}  // namespace slipway::registry
