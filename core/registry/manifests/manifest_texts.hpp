// The manifests along the search path, read but not yet understood.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/manifests/search_path.hpp"
#include "core/registry/manifests/trust.hpp"
#include "core/spec/problem.hpp"

namespace slipway::registry {

/// A manifest's bytes; or a file, or a place of the path, that was refused.
struct ManifestText {
  std::string file;  ///< absolute; for a refused place, its path
  Origin origin = Origin::kVendor;
  std::string text;
  std::optional<spec::Problem> refused;  ///< then there is no text
};

/// Reads the manifests of `path`, in its order: files as they are, of directories every `*.toml` by
/// name, and the `resources.d` beside each directory. A file is read once however it is named.
/// `searched` gets the places with what came of each. Does not throw for what it finds.
std::vector<ManifestText> read_manifest_texts(std::vector<SearchEntry> path,
                                              const TrustPolicy& trust,
                                              std::vector<SearchEntry>& searched);

/// Whether `manifest` can say something about any of `words`, which are names and ids: false is
/// certain. A text with a backslash may hold them in escapes.
bool may_mention(const ManifestText& manifest, const std::vector<std::string>& words);

}  // namespace slipway::registry
