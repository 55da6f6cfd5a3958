// Which plug-ins and resources there are, and which of them is meant by a name.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/libraries/library.hpp"
#include "core/registry/manifests/index.hpp"
#include "core/registry/manifests/manifest.hpp"
#include "core/registry/manifests/resource_resolution.hpp"
#include "core/registry/manifests/search_path.hpp"
#include "core/spec/problem.hpp"

namespace slipway::registry {

enum class PluginState { kOk, kDisabled, kShadowed, kError };

/// "ok", "disabled", "shadowed", "error".
const char* to_string(PluginState state);

/// A row of `plugin list`.
struct PluginInfo {
  std::string id;  ///< empty for a manifest that could not be read
  std::string version;
  std::string abi;
  std::string description;
  spec::Position manifest;
  std::string library;  ///< absolute path, or empty
  bool enabled = true;
  std::vector<Provided> provides;
  Origin origin = Origin::kVendor;
  PluginState state = PluginState::kOk;
  std::string error;      ///< the reason for kError, or who shadows or masks it; empty for kOk
  bool harmless = false;  ///< kShadowed by one that says the same
};

/// The plug-ins of one process. Manifests are read at the first question and not again, except that
/// questions for one name come before all are parsed; a library is loaded by library_of() alone.
/// Not for several threads at once; a plug-in that asks back during its init is fine.
class Registry {
 public:
  explicit Registry(SearchOptions options = {});
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  /// What the host's configuration says about plug-ins; before the first question.
  void configure(AllPluginSettings settings) { settings_ = std::move(settings); }

  /// The places of the search path with their states.
  const std::vector<SearchEntry>& searched();
  /// What is wrong in manifests, and what libraries that were loaded differ in; errors do not end
  /// anything.
  const std::vector<spec::Problem>& problems();
  /// Every plug-in found, in order of precedence, the disabled, shadowed and broken ones too.
  /// Libraries are inspected (preflight), not loaded.
  std::vector<PluginInfo> plugins();
  /// The same as they were read, in the same order.
  const std::vector<PluginEntry>& entries() { return index().plugins; }
  /// Returns whose files this process may trust.
  const TrustPolicy& trust() const { return trust_; }
  /// Returns the origin of the place that `file` lies in, or kFlag for a file outside of all
  /// places.
  Origin origin_of(const std::string& file);

  /// The names in force in a group, sorted.
  std::vector<std::string> names(Group group);

  /// The same by precedence: of what two plug-ins offer under one name, the first one's counts.
  std::vector<std::string> names_by_precedence(Group group);

  /// The provider that `name` means. Throws Error(kNotFound) with the known names, the nearest one,
  /// the places searched and the broken manifests; or what keeps the plug-in of that name from
  /// being used (kAbi, kUnavailable).
  Provider find_provider(Group group, std::string_view name);

  /// The plug-in's library, loaded at the first call and then the same one; see Library::load() for
  /// what it throws. `host` is used at the first call for a plug-in. A failure is not remembered:
  /// the next call tries again.
  std::shared_ptr<Library> library_of(const Provider& provider, const slipway_host* host);

  /// Every resource written in a manifest, in order of precedence, shadowed ones too.
  const std::vector<InlineResource>& inline_resources();

  /// The resource of that name in force among inline_resources(), resolved as
  /// resolve_inline_resource() says. A base that no manifest defines is asked of `external`.
  /// nullopt: no manifest defines `name`.
  std::optional<ResolvedResource> find_inline_resource(std::string_view name,
                                                       const BaseLookup& external = {});

  /// What the first manifest that has a table for this device says, or nullptr. Throws
  /// Error(kConfig) when that is wrong.
  const DeviceTable* find_device(std::string_view name);

  /// The part of a "not found" message that says where was looked and what is broken; several
  /// lines, for any kind of name. Starts with "searched:".
  std::string search_report();

 private:
  Index& index();
  Index& index_about(const std::string& name);
  [[noreturn]] void throw_not_found(Group group, std::string_view name);

  SearchOptions options_;
  AllPluginSettings settings_;
  TrustPolicy trust_;
  std::unique_ptr<Index> index_;
  std::map<std::string, std::unique_ptr<Index>, std::less<>>
      about_;                                    // by name, as long as index_ is not there
  std::vector<spec::Problem> library_problems_;  // of libraries loaded before it was
  std::map<std::string, std::shared_ptr<Library>, std::less<>> libraries_;  // by plug-in id
  std::set<std::string, std::less<>> loading_;  // ids whose load() has not returned
};

}  // namespace slipway::registry
