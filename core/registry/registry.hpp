// The plug-ins and named resources of this process, and the lookup of providers by name.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/registry/libraries/library.hpp"
#include "core/registry/manifests/index.hpp"
#include "core/registry/manifests/manifest.hpp"
#include "core/registry/manifests/manifest_texts.hpp"
#include "core/registry/manifests/resource_resolution.hpp"
#include "core/registry/manifests/search_path.hpp"
#include "core/spec/problem.hpp"

namespace slipway::registry {

enum class PluginState { kOk, kDisabled, kShadowed, kError };

/// Returns "ok", "disabled", "shadowed" or "error".
const char* to_string(PluginState state);

/// A row of `plugin list`.
struct PluginInfo {
  std::string id;  ///< empty for a manifest with an error and without plug-ins
  std::string version;
  std::string abi;
  std::string description;
  spec::Position manifest;
  std::string library;  ///< absolute path, or empty
  bool enabled = true;
  std::vector<Provided> provides;
  Origin origin = Origin::kVendor;
  PluginState state = PluginState::kOk;
  std::string error;      ///< the reason for a state other than kOk
  std::string warning;    ///< a fault in spite of which the library can be used, or empty
  bool harmless = false;  ///< kShadowed by an equal entry
};

/// A mutex that its owner may lock again, even in a query process: a fork of the owner still owns
/// the mutex. A std::recursive_mutex identifies its owner by the number of the thread, which
/// differs in a fork.
class ForkedMutex {
 public:
  void lock() {
    if (owner_ != std::this_thread::get_id()) {
      mutex_.lock();
      owner_ = std::this_thread::get_id();
    }
    ++depth_;
  }
  void unlock() {
    if (--depth_ > 0) return;
    owner_ = std::thread::id();
    mutex_.unlock();
  }

 private:
  std::mutex mutex_;
  std::atomic<std::thread::id> owner_;  // a thread finds its id here only while it owns mutex_
  int depth_ = 0;
};

/// The hint of an error about a plug-in that was not found.
inline constexpr const char* kMorePlaces =
    "--plugin-path DIR|FILE or SLIPWAY_PLUGIN_PATH adds a place to look for plug-ins";

/// Reads each manifest at most once, when a function first needs it. Only library_of() loads
/// libraries. Thread-safe, with one exception: loading a library appends to the vector that
/// problems() returned, so do not read it meanwhile. A plug-in may call the host during its init.
class Registry {
 public:
  explicit Registry(SearchOptions options = {});
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  /// Sets the host's configuration of plug-ins. Must be called before all other functions.
  void configure(AllPluginSettings settings) { settings_ = std::move(settings); }
  const AllPluginSettings& settings() const { return settings_; }

  /// Returns the places of the search path with their states.
  const std::vector<SearchEntry>& searched();
  /// Returns the mistakes in manifests, and the differences of loaded libraries from them.
  const std::vector<spec::Problem>& problems();
  /// Returns every plug-in, in order of precedence, including disabled, shadowed and unusable ones,
  /// and then the manifests with an error and without plug-ins. Inspects the libraries (preflight
  /// and checksum) without loading them.
  std::vector<PluginInfo> plugins();
  /// Returns the manifests' entries of the same plug-ins, in the same order.
  const std::vector<PluginEntry>& entries() { return index().plugins; }
  /// Returns the users whose files this process trusts.
  const TrustPolicy& trust() const { return trust_; }
  /// Returns the origin of the place that contains `file`, or kFlag for a file outside all places.
  Origin origin_of(const std::string& file);

  /// Returns the names of all providers of a group that are in force (manifests/index.hpp), sorted.
  std::vector<std::string> names(Group group);

  /// Returns the same names in order of precedence.
  std::vector<std::string> names_by_precedence(Group group);

  /// Returns the provider in force with that name. Throws Error kNotFound for an unknown name, with
  /// the known names, the most similar one, the search path and the mistakes in manifests. Throws
  /// the error of the plug-in's entry (kAbi, kUnavailable, kConfig) if it is unusable.
  Provider find_provider(Group group, std::string_view name);

  /// Selects providers of plug-ins.
  using ProviderTest = std::function<bool(const PluginEntry& plugin, const Provided& provided)>;
  /// Returns a text about each disabled or shadowed plug-in with a provider of this group that
  /// `is_wanted` accepts: `ID would provide it, but is not usable: disabled in FILE`.
  std::vector<std::string> unused_providers(Group group, const ProviderTest& is_wanted);

  /// Returns the plug-in's library. The first call for a plug-in loads it with `host`; a call after
  /// a failure tries again. Throws as Library::load() does, and Error kPrecondition if the plug-in
  /// requests itself while it is loading.
  std::shared_ptr<Library> library_of(const Provider& provider, const slipway_host* host);

  /// Returns the libraries that library_of() has loaded, sorted by plug-in id.
  std::vector<std::shared_ptr<Library>> loaded();

  /// Returns every resource of manifests, in order of precedence, including shadowed ones.
  const std::deque<InlineResource>& inline_resources();

  /// Returns the resource of manifests with that name, with inherited values, or nullopt.
  /// `external` finds the bases that no manifest defines. Throws as resolve_inline_resource() does.
  std::optional<ResolvedResource> find_inline_resource(std::string_view name,
                                                       const BaseLookup& external = {});

  /// Returns the device's table of the first manifest that has one, or nullptr. Throws
  /// Error(kConfig) if that table has an error.
  const DeviceTable* find_device(std::string_view name);

  /// Returns the end of a "not found" message for any kind of name: the line "searched:", then the
  /// places of the search path, and the errors and misspelt keys in manifests, one a line.
  std::string search_report();

  /// Keeps other threads out of this object until the result is destroyed. Callers also protect
  /// their own data with this lock. With a second mutex, two threads could lock both in different
  /// orders and block each other, because plug-ins call the host while they are loaded.
  std::unique_lock<ForkedMutex> lock() { return std::unique_lock(mutex_); }

 private:
  const ManifestTexts& texts();
  Index& index();
  Index& index_about(const std::string& name);
  [[noreturn]] void throw_not_found(Group group, std::string_view name);

  ForkedMutex mutex_;
  SearchOptions options_;
  AllPluginSettings settings_;
  TrustPolicy trust_;
  std::optional<ManifestTexts> texts_;
  std::optional<Index> index_;
  // Partial indexes by name; see Index::parse_about(). Used until index_ is set.
  std::map<std::string, Index, std::less<>> about_;
  // The problems of libraries that were loaded before index_ was set.
  std::vector<spec::Problem> library_problems_;
  std::map<std::string, std::shared_ptr<Library>, std::less<>> libraries_;  // by plug-in id
  std::set<std::string, std::less<>> loading_;  // ids of plug-ins that are being loaded
};

}  // namespace slipway::registry
