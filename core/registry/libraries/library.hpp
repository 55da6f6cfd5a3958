// Loads a plug-in's library, and checks its descriptor against this host and its manifest.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/manifests/manifest.hpp"
#include "core/registry/manifests/trust.hpp"
#include "slipway/abi/plugin.h"

namespace slipway::registry {

/// A loaded plug-in. The destructor calls `deinit` but does not unload the library, because a
/// plug-in's threads, thread-local destructors and string literals must remain valid. All objects
/// of the plug-in must be destroyed first, so each wrapper of an object holds a shared_ptr to its
/// library. The descriptor is read-only and may be used from any thread.
class Library {
 public:
  /// Inspects the library with preflight(), compares its checksum, and loads it (RTLD_NOW |
  /// RTLD_LOCAL | RTLD_NODELETE). Then checks the entry symbol, magic, major version, size, draft,
  /// least host minor version and id, calls init(`host`), and checks that the library has all
  /// providers of `entry`. An `entry` without an id accepts any id. `host` must live until the
  /// process ends. Appends a warning to `warnings` if the version differs from the manifest's.
  ///
  /// Throws Error: as preflight() and check_sha256() do; kUnavailable if the system cannot load the
  /// library; kAbi if it is no plug-in for this host, violates the contract or differs from the
  /// manifest; the error of init if it fails; kInternal if an exception leaves init. `where()` is
  /// the library's path, except for an untrusted directory (its path) and an exception (the
  /// plug-in's id). A constructor in the library can still terminate the process.
  static std::shared_ptr<Library> load(const PluginEntry& entry, const slipway_host* host,
                                       const TrustPolicy& trust,
                                       std::vector<spec::Problem>& warnings);

  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library();

  const slipway_plugin& descriptor() const { return *plugin_; }
  const std::string& path() const { return path_; }
  const std::string& id() const { return id_; }
  const std::string& version() const { return version_; }

  /// Returns the provider of `kind` ("slipway.scheduler/1") with this name, or nullptr.
  const slipway_provider* provider(std::string_view kind, std::string_view name) const;

  /// Returns the names of the providers of a kind.
  std::vector<std::string> names(std::string_view kind) const;

  /// Returns a new object of `provider` for `session` in the context `call`. The caller must wrap
  /// the object at once, or it is never destroyed. `host` must outlive the object. Throws Error:
  /// kAbi if the library has no such provider or creates nothing; kInternal if an exception leaves
  /// the plug-in's function; otherwise the plug-in's error.
  void* create(const Provider& provider, const slipway_host* host, const slipway_call& call,
               std::string_view session) const;

 private:
  Library(std::string path, const slipway_plugin* plugin, const slipway_host* host);

  void initialise();
  std::string provided_text() const;

  std::string path_;
  std::string id_;
  std::string version_;
  const slipway_plugin* plugin_;
  const slipway_host* host_;
  bool initialised_ = false;
};

}  // namespace slipway::registry
