// Reading one [[plugin]] table of a manifest.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/registry/manifests/manifest.hpp"
#include "core/spec/fields.hpp"
#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"

namespace slipway::registry {

/// Reads the `index`-th [[plugin]] of `file`; strings and config are moved out of `table`. What is
/// wrong is added to `problems`; the first error also becomes the entry's. nullopt when there is no
/// usable id: nothing can go by it then.
std::optional<PluginEntry> read_plugin(spec::Node& table, std::size_t index,
                                       const std::string& file, Origin origin,
                                       spec::ProblemList& problems);

}  // namespace slipway::registry
