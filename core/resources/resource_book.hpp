// Finds named resources in manifests and plug-ins.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/manifests/resource_resolution.hpp"
#include "core/registry/plugin_host.hpp"
#include "core/spec/resolve_resources.hpp"
#include "slipway/app.hpp"
#include "slipway/error.hpp"

namespace slipway::resources {

/// A named resource as administrators see it: its values, its source, and the sources that it
/// shadows.
struct ResourceEntry {
  std::string name;
  registry::ResolvedResource resolved;  ///< empty if there is an `error`
  std::optional<Error> error;           ///< why the resource cannot be used
  /// `file:line:column` of a manifest, or the id of a plug-in.
  std::string source;
  /// The kind of place that has the manifest: "flag", "env", "user", "site", "shared" or "vendor".
  std::string origin;
  std::vector<std::string> shadows;  ///< sources of unused resources with this name
};

/// Looks up resources by name. A resource in a manifest wins over one of a plug-in. Among plug-ins,
/// those whose manifest lists the name win over the others, then the precedence decides.
///
/// find_named(), find() and get() load a plug-in only if no manifest defines the name, or a base
/// that its resource inherits from. They load a plug-in whose manifest does not list the name only
/// if that manifest might not list all resources (Provided::lists_all_resources()), and no plug-in
/// that lists the name has it. For an error about an unknown name, they load plug-ins as names()
/// does. Not thread-safe.
class ResourceBook {
 public:
  /// `host` must outlive the book.
  explicit ResourceBook(registry::PluginHost& host) : host_(host) {}

  /// Returns the resource of that name with its variants for single schedulers, or nullopt if the
  /// name is unknown. Throws Error if the manifest's definition is broken or the plug-in's resource
  /// is invalid. Skips a plug-in that cannot be loaded and adds it to unavailable().
  std::optional<spec::NamedResource> find_named(std::string_view name);
  /// Does the same, without the variants.
  std::optional<Resource> find(std::string_view name);

  /// Returns the resource like find(), but throws Error(kNotFound), with the nearest name, for an
  /// unknown name. This is TorchX's `get_named_resources`.
  Resource get(std::string_view name);
  /// Does the same as get(name), but returns the variant for `scheduler` if there is one.
  Resource get(std::string_view name, std::string_view scheduler);

  /// Returns why a name is unknown that the manifest of a disabled plug-in lists, or an empty text.
  std::string why_missing(std::string_view name);

  /// Returns every known name, sorted; for "did you mean". Loads the plug-ins whose manifest might
  /// not list all of their resources.
  std::vector<std::string> names();

  /// Returns every resource in force, sorted by name; broken ones with their error. Loads every
  /// provider.
  std::vector<ResourceEntry> entries();
  /// Returns the resource of that name; a broken one with its error. Loads every provider, for
  /// `shadows`. Throws kNotFound like get().
  ResourceEntry entry(std::string_view name);

  /// Returns one message for each provider that could not be called, except for failures that
  /// PluginHost::ask_each() has logged.
  const std::vector<std::string>& unavailable() const { return unavailable_; }

 private:
  /// A provider of a plug-in.
  struct Provider {
    std::string name;
    std::string plugin_id;
    std::string origin;
    registry::Provided provided;           ///< the provider's entry in its manifest
    std::optional<Dict<Resource>> listed;  ///< all its resources, once list_from() was called
    bool failed = false;                   ///< a call failed, so it is not called again
  };
  enum class Wanted { kFirst, kAll };
  /// A resource and the provider that has it.
  struct Found {
    Resource resource;
    const Provider* provider;
  };

  std::vector<Provider>& providers();
  /// Calls those of `providers` that have not failed and passes each answer to `take`. Does not
  /// call a provider again after it failed.
  void ask(const std::vector<Provider*>& providers, const registry::PluginHost::Ask& ask,
           const registry::PluginHost::Enough& enough,
           const std::function<void(Provider& provider, std::string_view bytes)>& take);
  /// Returns the resources of these providers under this name, in their order. With kFirst, may
  /// stop after the first.
  std::vector<Found> get_from(const std::vector<Provider*>& providers, std::string_view name,
                              Wanted wanted);
  /// Fills in `listed` of these providers.
  void list_from(const std::vector<Provider*>& providers);
  /// Returns the plug-ins' resource of this name that wins.
  std::optional<Resource> find_provided(std::string_view name);
  /// Returns the resource of manifests with this name, with values that it inherits from plug-ins.
  std::optional<registry::ResolvedResource> find_in_manifests(std::string_view name);
  static ResourceEntry provided_entry(const Provider& provider, std::string_view name,
                                      const Resource& resource);
  ResourceEntry entry_of_manifest(const registry::InlineResource& resource);
  [[noreturn]] void throw_unknown(std::string_view name);

  registry::PluginHost& host_;
  std::optional<std::vector<Provider>> providers_;
  std::vector<std::string> unavailable_;
  std::map<std::string, std::optional<Resource>, std::less<>>
      answered_;  ///< cache of find_provided()
};

}  // namespace slipway::resources
