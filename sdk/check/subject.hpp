// The plug-in under test: its library, and what a manifest says about it.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace slipway::check {

/// One name that a manifest promises.
struct Promise {
  std::string kind;   ///< "slipway.scheduler/1"
  std::string entry;  ///< the provider's own name
};

/// The [[plugin]] of a manifest, as far as it concerns the library.
struct ManifestFacts {
  std::string path;
  std::string id;
  std::string version;
  std::vector<Promise> promises;
};

struct Subject {
  std::string library;             ///< absolute
  std::string config_json = "{}";  ///< what providers are created with
  std::optional<ManifestFacts> manifest;
};

/// The plug-in cannot be found at all; `what()` is for people.
struct NoSubject : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What `target` names: a shared library, or a manifest (*.toml) of one plug-in. Opens no library. Throws NoSubject.
Subject find_subject(const std::string& target);

}  // namespace slipway::check
