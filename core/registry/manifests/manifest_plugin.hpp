// Reads one [[plugin]] table of a manifest.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/registry/manifests/manifest.hpp"
#include "core/spec/fields.hpp"
#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"

namespace slipway::registry {

/// Reads the `index`-th [[plugin]] of `file`, and moves strings and config out of `table`. Adds all
/// errors to `problems` and the first to the entry. Returns nullopt for a table without a valid id.
std::optional<PluginEntry> read_plugin(spec::Node& table, std::size_t index,
                                       const std::string& file, Origin origin,
                                       spec::ProblemList& problems);

}  // namespace slipway::registry
