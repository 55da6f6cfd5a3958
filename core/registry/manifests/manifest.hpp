// Reads one manifest into values: plug-ins with their providers, named resources, and devices.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/manifests/device_table.hpp"
#include "core/registry/manifests/inline_resource.hpp"
#include "core/registry/manifests/search_path.hpp"
#include "core/registry/manifests/trust.hpp"
#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"

namespace slipway::registry {

/// The kinds of providers, as groups of [plugin.provides].
enum class Group { kSchedulers, kImageProviders, kNamedResources, kComponents, kWorkspaces };
inline constexpr std::array kGroups = {Group::kSchedulers, Group::kImageProviders,
                                       Group::kNamedResources, Group::kComponents,
                                       Group::kWorkspaces};

/// Merges the table `overlay` into the table `base`. Values of `overlay` replace those of `base`;
/// tables that occur in both are merged recursively.
void merge_config(spec::Node& base, const spec::Node& overlay);

/// Returns the key in the manifest: "schedulers", "image_providers", "named_resources",
/// "components", "workspaces".
const char* to_string(Group group);
/// Returns the word for messages: "scheduler", "image provider", "named-resource provider",
/// "component provider", "workspace provider".
const char* noun(Group group);
/// Returns the kind in the C contract: "slipway.scheduler/1", ...
const char* kind(Group group);

/// One provider that a manifest lists.
struct Provided {
  Group group = Group::kSchedulers;
  std::string name;   ///< the name for users
  std::string entry;  ///< the name in the library, mostly the same
  spec::Node config;  ///< a table; its values replace those of [plugin.config] for this provider
  /// The resources of a named-resource provider; a `*` at the end stands for any suffix. Empty if
  /// the manifest does not list them.
  std::vector<std::string> resources;
  /// The extensions of the source files from which a component provider reads components, without
  /// the dot: "py".
  std::vector<std::string> component_files;
  /// For a scheduler: the URL that `run --workspace DIR` uses in place of DIR. The macro `${dir}`
  /// stands for DIR; core/runner/workspace_url.hpp has the others. Empty: DIR itself, a workspace
  /// of the provider `dir`.
  std::string workspace;
  spec::Position source;  ///< place of the provider in the manifest

  /// Returns whether `resources` lists the name, possibly by a `*`.
  bool lists_resource(std::string_view resource) const;
  /// Returns whether `resources` is complete: it is not empty and has no `*`. The library then need
  /// not be loaded to list the resources.
  bool lists_all_resources() const;
};

/// One [[plugin]] table.
struct PluginEntry {
  std::string id;
  std::string version;
  std::string abi;  ///< the version of the C contract that it needs ("1.0"), or empty
  std::string description;
  std::string license;
  std::string url;
  std::string library;  ///< absolute path; empty if the entry is disabled or has an error
  std::string sha256;   ///< checksum of the library, 64 lowercase digits, or empty
  spec::Position sha256_source;
  bool enabled = true;  ///< false: disables this id, also in later manifests
  /// The place of the configuration that disables the plug-in, "file:line:column", or empty. Set by
  /// Index (index.hpp).
  std::string disabled_by;
  bool overrides = false;  ///< `override`: its providers replace built-in ones
  std::vector<Provided> provides;
  spec::Node config;  ///< [plugin.config], a table; Index merges the host's configuration into it
  Origin origin = Origin::kVendor;
  spec::Position source;
  /// The first error that makes the entry unusable: a wrong value, another version of the C
  /// contract, no library for this machine. Such an entry still shadows later ones of its id, and
  /// its names still refer to it, so that a command reports this error instead of an unknown name.
  std::optional<spec::Problem> error;
  /// The place of the entry that shadows this one, "file:line:column", or empty. Set by Index.
  std::string shadowed_by;
  /// The difference from that entry, for messages ("version 1.2 and not 1.3"); empty if both are
  /// equal.
  std::string difference;
};

/// One provider that a name refers to.
struct Provider {
  Group group = Group::kSchedulers;
  std::string name;         ///< the name for users
  std::string entry;        ///< the name in the library
  std::string config_json;  ///< [plugin.config] with the provider's own values over it; or "{}"
  const PluginEntry* plugin = nullptr;  ///< borrowed from the registry
  const Provided* provided = nullptr;   ///< one of `plugin->provides`
};

/// Returns the provider `provided` of `plugin`; both are borrowed.
Provider provider_of(const PluginEntry& plugin, const Provided& provided);

struct Manifest {
  std::string file;  ///< absolute path
  Origin origin = Origin::kVendor;
  std::vector<PluginEntry> plugins;
  std::vector<InlineResource> resources;
  std::vector<DeviceTable> devices;
};

/// The largest manifest, in bytes (4 MiB): far more than one needs, so a larger file was named by
/// mistake.
inline constexpr std::size_t kMaxManifestBytes = 4u << 20;
/// The newest `manifest_version` that this host reads.
inline constexpr int kManifestVersion = 1;

/// Parses a manifest's text. `file` is its absolute path: positions refer to it, and paths of
/// libraries are relative to its directory.
///
/// Appends errors and warnings to `problems`, each with file:line:column. A warning about an
/// unknown key proposes a similar known key if there is one. The result is empty for a blank text
/// (an error), after a syntax error, and for a manifest_version that is invalid or newer than
/// kManifestVersion. It lacks each [[plugin]] without a valid id, and each resource whose name an
/// earlier one of this manifest has. Other tables with errors are in the result, with their
/// `error`. Never throws because of the text.
Manifest parse_manifest(std::string_view text, const std::string& file, Origin origin,
                        std::vector<spec::Problem>& problems);

/// Returns all bytes of the manifest at `file` (absolute). Throws an Error that names the file if
/// it is missing, unreadable, larger than kMaxManifestBytes, not a regular file (a FIFO does not
/// block), or not trusted. The caller checks whether its directory is trusted.
std::string read_manifest_text(const std::string& file, Origin origin, const TrustPolicy& trust);

/// Reads and parses the manifest at `file`. If read_manifest_text() throws, adds its error to
/// `problems` and returns an empty manifest.
Manifest read_manifest(const std::string& file, Origin origin, const TrustPolicy& trust,
                       std::vector<spec::Problem>& problems);

}  // namespace slipway::registry
