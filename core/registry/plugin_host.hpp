// Everything that plug-ins provide, by name: finds the plug-in in the registry, loads it, and adopts the object.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/adopted_components.hpp"
#include "core/registry/adopted_image_provider.hpp"
#include "core/registry/adopted_resources.hpp"
#include "core/registry/adopted_scheduler.hpp"
#include "core/registry/adopted_workspace.hpp"
#include "core/registry/host_table.hpp"
#include "core/registry/registry.hpp"

namespace slipway::registry {

/// Not for several threads at once. Objects that it returned may outlive it; the services that they use through the
/// host do not.
class PluginHost {
 public:
  using Log =
      std::function<void(LogLevel level, std::string_view plugin_id, std::string_view message)>;

  explicit PluginHost(SearchOptions options = {}, Log log = {});
  PluginHost(const PluginHost&) = delete;
  PluginHost& operator=(const PluginHost&) = delete;

  Registry& registry() { return registry_; }

  /// Names the state directories of schedulers; see RunnerOptions::state_dirs. Before the first scheduler is made.
  void keep_state_in(Dict<std::string> state_dirs) { state_dirs_ = std::move(state_dirs); }

  /// Returns the directory below which the scheduler keeps its records.
  std::string state_dir(std::string_view scheduler) const;

  /// Lets plug-ins ask for named resources; `find` throws kNotFound and must live as long as this object. Without it
  /// they are told that this host has none.
  void serve_named_resources(std::function<Resource(std::string_view name)> find);

  /// A new object of the scheduler called `name`, working for `session`. Throws as Registry::find_provider and
  /// Library::load, and what the plug-in says when it cannot be created.
  AdoptedScheduler scheduler(std::string_view name, std::string_view session);

  /// The image provider called `name`, or of the scheme of a URL ("archive:///srv/x.tar").
  AdoptedImageProvider image_provider(std::string_view name_or_url);

  /// The resources of the provider called `name`.
  AdoptedResources resources(std::string_view name);

  /// The components of the provider called `name`.
  AdoptedComponents components(std::string_view name);

  /// The workspace provider called `name`.
  AdoptedWorkspace workspace(std::string_view name);

 private:
  struct Created {
    std::shared_ptr<Library> library;
    void* object;
  };
  Created create(Group group, std::string_view name, std::string_view session);
  const slipway_host* host_table(const std::string& plugin_id);
  const slipway_host* host_table_for(const Provider& provider);

  Registry registry_;
  std::shared_ptr<HostServices> services_;
  Dict<std::string> state_dirs_;
  std::map<std::string, const slipway_host*, std::less<>>
      tables_;  // by plug-in id, or that and a scheduler
  std::map<slipway_image_provider*, AdoptedImageProvider>
      lent_image_providers_;  // opened by plug-ins
};

}  // namespace slipway::registry
