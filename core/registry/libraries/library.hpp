// A loaded plug-in library whose description was checked against this host and against its
// manifest.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/manifests/manifest.hpp"
#include "core/registry/manifests/trust.hpp"
#include "slipway/abi/plugin.h"

namespace slipway::registry {

/// Loaded once, never unloaded: threads, thread-local destructors and returned string literals of a
/// plug-in would not survive it. The destructor calls `deinit`, so everything the library made must
/// be gone by then: keep a shared_ptr in each object adopted from it. The descriptor is read-only
/// and may be used from any thread.
class Library {
 public:
  /// Preflight, checksum where the manifest has one, load (RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE),
  /// entry symbol, magic, major, size, least host minor, id against `entry` (any, if that has
  /// none), init(`host`), then what it provides against `entry`. `host` must live until the process
  /// ends. Warnings (another version than the manifest says) are appended to `warnings`.
  ///
  /// Throws Error: as preflight(); kUnavailable when the system cannot load it; kAbi when it is no
  /// plug-in of this host, breaks the contract or is not what the manifest says (the message names
  /// both); init's own code when that fails; kInternal when an exception leaves init. `where()` is
  /// the library's path. A constructor of the library can still end the process.
  static std::shared_ptr<Library> load(const PluginEntry& entry, const slipway_host* host,
                                       const TrustPolicy& trust,
                                       std::vector<spec::Problem>& warnings);

  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library();

  const slipway_plugin& descriptor() const { return *plugin_; }
  const slipway_host* host() const { return host_; }
  const std::string& path() const { return path_; }
  const std::string& id() const { return id_; }
  const std::string& version() const { return version_; }

  /// The provider of `kind` ("slipway.scheduler/1") called `entry`, or nullptr.
  const slipway_provider* provider(std::string_view kind, std::string_view entry) const;

  /// Returns a new object of `provider` for `session`, which the caller wraps at once so that it is
  /// destroyed. The object uses `host`. Throws Error: kAbi when the library has no such provider or
  /// creates nothing; otherwise the plug-in's own error.
  void* create(const Provider& provider, const slipway_host* host, std::string_view session) const;

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
