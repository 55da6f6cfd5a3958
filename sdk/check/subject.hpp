// The plug-in under test: its library and its manifest.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace slipway::check {

/// A provider that the manifest promises.
struct Promise {
  std::string kind;   ///< "slipway.scheduler/1"
  std::string entry;  ///< the provider's own name
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
  std::string config_json = "{}";  ///< the configuration of the providers
  std::optional<ManifestFacts> manifest;
};

/// The plug-in cannot be found; `what()` is for people.
struct NoSubject : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns the plug-in of `target`, a shared library or a manifest (*.toml) of one plug-in. Does
/// not load the library. Throws NoSubject.
Subject find_subject(const std::string& target);

}  // namespace slipway::check
