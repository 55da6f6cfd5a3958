// Named resources from everywhere: manifests and plug-ins.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/plugin_host.hpp"
#include "core/resources/resource_entry.hpp"
#include "core/spec/resolve_resources.hpp"
#include "slipway/app.hpp"

namespace slipway::resources {

/// Looks resources up by name. A resource written in a manifest wins over one of a plug-in; of several plug-ins the
/// first by precedence wins, those whose manifest lists the name before the others. A plug-in is loaded only when no
/// manifest defines the name, and one whose manifest lists no resources only when no manifest lists the name. Not for
/// several threads at once.
class ResourceBook {
 public:
  /// `host` must outlive the book.
  explicit ResourceBook(registry::PluginHost& host) : host_(host) {}

  /// What an app file means by the name, with what it is on single schedulers. nullopt: nobody defines it. Throws Error
  /// when the manifest's definition is broken; a plug-in that cannot be loaded is passed over and remembered in
  /// unavailable().
  std::optional<spec::NamedResource> find_named(std::string_view name);
  /// The same without what is special on single schedulers.
  std::optional<Resource> find(std::string_view name);

  /// The same (TorchX's `get_named_resources`), but throws Error kNotFound, with the nearest name, when nobody defines it.
  Resource get(std::string_view name);
  /// The same, as it is on `scheduler`, which may have a variant of its own.
  Resource get(std::string_view name, std::string_view scheduler);

  /// Every known name, sorted; for "did you mean".
  std::vector<std::string> names();

  /// Every resource in force, sorted by name; broken ones with their error. Loads every provider.
  std::vector<ResourceEntry> entries();
  /// The one of that name. Throws kNotFound as get() does; a broken one has its error.
  ResourceEntry entry(std::string_view name);

  /// Plug-ins that could not be asked, a message each.
  const std::vector<std::string>& unavailable() const { return unavailable_; }

 private:
  /// A provider of a plug-in.
  struct Provider {
    std::string name;
    std::string plugin_id;
    std::string origin;
    registry::Provided provided;           ///< what its manifest says
    std::optional<Dict<Resource>> listed;  ///< what it has, once it was asked for all
    bool failed = false;
  };
  struct Found {
    Resource resource;
    const Provider* provider;
  };

  std::vector<Provider>& providers();
  /// Asks those of `providers` that have not failed; `take` gets each answer. One that fails is asked no more.
  void ask(const std::vector<Provider*>& providers, const registry::PluginHost::Ask& ask,
           const registry::PluginHost::Enough& enough,
           const std::function<void(Provider& provider, std::string_view bytes)>& take);
  /// What these providers have under this name, in their order; with `first_only` the others need not be asked.
  std::vector<Found> get_from(const std::vector<Provider*>& providers, std::string_view name,
                              bool first_only);
  /// Fills in `listed` of all of these.
  void list_from(const std::vector<Provider*>& providers);
  /// The plug-ins' resource of this name that wins.
  std::optional<Resource> provided(std::string_view name);
  std::optional<registry::ResolvedResource> find_inlined(std::string_view name);
  ResourceEntry inline_entry(const registry::InlineResource& resource);
  [[noreturn]] void throw_unknown(std::string_view name);

  registry::PluginHost& host_;
  std::optional<std::vector<Provider>> providers_;
  std::vector<std::string> unavailable_;
  std::map<std::string, std::optional<Resource>, std::less<>> answered_;  ///< by provided()
};

}  // namespace slipway::resources
