// The plug-in under test: its library and its entry in the manifest.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::check {

/// A provider that the manifest declares.
struct DeclaredProvider {
  std::string kind;         ///< "slipway.scheduler/1"
  std::string name;         ///< its name in the library
  std::string config_json;  ///< the configuration of the plug-in, merged with its own
  std::vector<std::string> source_extensions;  ///< of the files that it reads: "py"
};

/// What one [[plugin]] of a manifest says about the library.
struct ManifestFacts {
  std::string path;  ///< of the manifest
  std::string id;
  std::string version;
  std::vector<DeclaredProvider> providers;
};

/// A plug-in under test.
struct Subject {
  std::string library;             ///< absolute
  std::string config_json = "{}";  ///< the configuration of providers that no manifest declares
  std::optional<ManifestFacts> manifest;

  /// Returns the configuration with which the host creates the provider.
  const std::string& config_of(std::string_view kind, std::string_view name) const;
  /// Returns the extensions of the source files that the component provider reads; none without a
  /// manifest.
  std::vector<std::string> source_extensions(std::string_view name) const;
};

/// The target is not a plug-in that can be checked; what() can be shown to the user.
struct UnusableTarget : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns the plug-ins of `target`. A shared library is one plug-in. A manifest (*.toml), which
/// the code of the host reads, yields each enabled plug-in in it. Does not load a library. Throws
/// UnusableTarget.
std::vector<Subject> find_subjects(const std::string& target);

}  // namespace slipway::check
