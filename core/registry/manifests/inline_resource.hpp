// A named resource written in a manifest, without a library: reading its table.
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

/// Where the fields of one table stand, as `cpu`, `gpu`, `memMB`, `capabilities.KEY`,
/// `devices.KEY`, `tags.KEY`.
using FieldMarks = std::vector<std::pair<std::string, spec::Mark>>;

/// What a resource is on one scheduler: [named_resources.NAME.SCHEDULER].
struct ResourceVariant {
  std::string scheduler;
  Resource own;  ///< only what the table says, the other counts are -1
  FieldMarks marks;
  spec::Position source;
};

/// A [named_resources.NAME] table as written: only what the file says, the other counts are -1.
struct InlineResource {
  std::string name;
  Resource own;
  FieldMarks marks;
  std::vector<ResourceVariant> variants;
  std::string inherits;  ///< name of another resource; empty: none
  /// The name of another resource that this is only another name of; nothing else is said then.
  std::string alias_of;
  spec::Position base_source;  ///< of `inherits` or `alias_of`
  std::string deprecated;      ///< what to use instead, told to whoever uses it; empty: it is not
  Origin origin = Origin::kVendor;
  spec::Position source;
  /// The first thing wrong with the table. It still shadows later ones of its name: falling back to
  /// another resource of that name in silence would be worse.
  std::optional<spec::Problem> error;
  /// Where the resource of this name stands that wins over this one, "file:line:column"; set by the
  /// index; empty: in force.
  std::string shadowed_by;
};

/// Reads the value of [named_resources]. Wrong tables keep their `error`; unknown keys are
/// warnings.
///
/// A table that holds nothing but tables is a part of names: [named_resources.gpu.small] is
/// "gpu.small", as [named_resources."gpu.small"] is. In a table that says something itself, tables
/// other than capabilities, devices and tags (or what is nearly spelt so) are what the resource is
/// on the scheduler of that name.
std::vector<InlineResource> read_inline_resources(spec::Node& tables, const std::string& file,
                                                  Origin origin, spec::ProblemList& problems);

}  // namespace slipway::registry
