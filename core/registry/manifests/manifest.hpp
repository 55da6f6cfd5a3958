// One manifest file, read into plain values: plug-ins, what they provide, and resources written in
// the file itself.
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

/// The entry-point groups of [plugin.provides].
enum class Group { kSchedulers, kImageProviders, kNamedResources, kComponents, kWorkspaces };
inline constexpr std::array kGroups = {Group::kSchedulers, Group::kImageProviders,
                                       Group::kNamedResources, Group::kComponents,
                                       Group::kWorkspaces};

/// `over` laid on top of `under`, both tables: values replace, tables that both have are merged key
/// by key.
void merge_config(spec::Node& under, const spec::Node& over);

/// The key in the manifest: "schedulers", "image_providers", "named_resources", "components",
/// "workspaces".
const char* to_string(Group group);
/// For messages: "scheduler", "image provider", "named-resource provider", "component provider",
/// "workspace provider".
const char* noun(Group group);
/// The ABI's kind: "slipway.scheduler/1", ...
const char* kind(Group group);

/// One name that a plug-in promises to provide.
struct Provided {
  Group group = Group::kSchedulers;
  std::string name;   ///< what users call it
  std::string entry;  ///< what the library calls it; mostly the same
  spec::Node config;  ///< of this name alone, a table; laid over the plug-in's
  /// Of a named-resource provider: the resources that it has; `*` at the end stands for any rest.
  /// Empty: not listed.
  std::vector<std::string> resources;
  spec::Position source;

  /// Whether `resources` lists the name.
  bool lists_resource(std::string_view resource) const;
  /// Whether `resources` lists every name, so that the library need not be asked for them.
  bool lists_all_resources() const;
};

/// One [[plugin]] table.
struct PluginEntry {
  std::string id;
  std::string version;
  std::string abi;
  std::string description;
  std::string license;
  std::string url;
  std::string
      library;  ///< absolute path; empty when disabled or when `error` says why there is none
  std::string sha256;  ///< of the library, 64 lowercase digits; empty: any will do
  spec::Position sha256_source;
  bool enabled = true;  ///< false masks the same id in every later place
  /// Where the host's configuration disables it, "file:line:column"; set by the index; empty: it
  /// does not.
  std::string disabled_by;
  bool overrides = false;  ///< `override`: its names win over built-in ones
  std::vector<Provided> provides;
  spec::Node config;  ///< [plugin.config], a table; the index lays the host's configuration over it
  Origin origin = Origin::kVendor;
  spec::Position source;
  /// The first thing that keeps the entry from being used: a wrong value, another ABI, no library
  /// for this machine. Such an entry still masks later ones of its id and is found by its names, so
  /// that who asks for them is told why.
  std::optional<spec::Problem> error;
  /// Where the entry of the same id stands that wins over this one, "file:line"; set by the index;
  /// empty: in force.
  std::string shadowed_by;
  /// How it differs from that one, as people say it ("version 1.2 and not 1.3"); empty: it does
  /// not.
  std::string difference;
};

/// One provider that a name refers to.
struct Provider {
  Group group = Group::kSchedulers;
  std::string name;         ///< what users call it
  std::string entry;        ///< what the library calls it
  std::string config_json;  ///< [plugin.config] under the provider's own config; at least "{}"
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

inline constexpr std::size_t kMaxManifestBytes = 4u << 20;
inline constexpr int kManifestVersion = 1;

/// Parses a manifest's text. `file` (absolute) gives positions their name and relative libraries
/// their directory.
///
/// Everything wrong is appended to `problems` with file:line:column: warnings (unknown keys, with a
/// near name) and errors. A syntax error or a newer manifest_version leaves nothing and a
/// [[plugin]] without an id is dropped; other wrong tables stay with their `error`. Never throws
/// for what the text holds.
Manifest parse_manifest(std::string_view text, const std::string& file, Origin origin,
                        std::vector<spec::Problem>& problems);

/// All bytes of the manifest at `file` (absolute). Throws Error, which names the file, when it is
/// missing, not a regular file (a FIFO does not block), unreadable, larger than kMaxManifestBytes,
/// or not trusted (trust.hpp; the directory is the caller's to check).
std::string read_manifest_text(const std::string& file, Origin origin, const TrustPolicy& trust);

/// Reads and parses the manifest at `file`. What read_manifest_text() throws is a problem, too.
Manifest read_manifest(const std::string& file, Origin origin, const TrustPolicy& trust,
                       std::vector<spec::Problem>& problems);

}  // namespace slipway::registry
