// The plug-in under test: its library and its entry in the manifest.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::check {

/// A provider that the manifest promises.
struct Promise {
  std::string kind;   ///< "slipway.scheduler/1"
  std::string entry;  ///< the provider's own name
  std::string config_json;
};

/// The facts about the library in the manifest's [[plugin]].
struct ManifestFacts {
  std::string path;
  std::string id;
  std::string version;
  std::vector<Promise> promises;
};

struct Subject {
  std::string library;             ///< absolute
  std::string config_json = "{}";  ///< the configuration of providers that no manifest promises
  std::optional<ManifestFacts> manifest;

  /// Returns the configuration with which the host creates the provider.
  const std::string& config_of(std::string_view kind, std::string_view entry) const;
};

/// The plug-in cannot be found; `what()` is for people.
struct NoSubject : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns the plug-ins of `target`: one for a shared library, and each enabled one of a manifest
/// (*.toml), which the host's own reader reads. Does not load a library. Throws NoSubject.
std::vector<Subject> find_subjects(const std::string& target);

}  // namespace slipway::check
