// Reads the texts of all manifests in the search path, before any is parsed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
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

/// Reads the manifests of `path` in its order. Of a directory, reads each `*.toml` in the order of
/// names, and then those of the `resources.d` beside it. Reads each file and directory only once.
/// Appends each place with its state to `searched`. Never throws because of what it finds.
std::vector<ManifestText> read_manifest_texts(std::vector<SearchEntry> path,
                                              const TrustPolicy& trust,
                                              std::vector<SearchEntry>& searched);

/// Returns false if `manifest` certainly mentions none of `words`, which are names and ids. Returns
/// true for any text with a backslash, because escapes may spell a word.
bool may_mention(const ManifestText& manifest, const std::vector<std::string>& words);

}  // namespace slipway::registry
