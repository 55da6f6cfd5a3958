// Reads the texts of all manifests in the search path, before any is parsed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/registry/manifests/search_path.hpp"
#include "core/registry/manifests/trust.hpp"
#include "core/spec/problem.hpp"

namespace slipway::registry {

/// The text of a manifest, or the reason why a file or a whole place was refused.
struct ManifestText {
  std::string file;  ///< absolute path of the file or refused place
  Origin origin = Origin::kVendor;
  std::string text;
  std::optional<spec::Problem> refused;  ///< the reason; `text` is empty then
};

struct ManifestTexts {
  /// Every place with its state, and every `resources.d` that exists.
  std::vector<SearchEntry> searched;
  std::vector<ManifestText> manifests;  ///< in order of precedence
};

/// Reads the manifests of `path` in its order. From a directory, reads each `*.toml` without a
/// leading dot, in the order of names, and then those of the `resources.d` beside it. Reads a
/// directory only once, also under another path, and a file only once under each path. Never
/// throws because of what it finds.
ManifestTexts read_manifest_texts(std::vector<SearchEntry> path, const TrustPolicy& trust);

}  // namespace slipway::registry
