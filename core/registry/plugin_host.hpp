// Everything that plug-ins provide, by name: finds the plug-in in the registry, loads it, and
// adopts the object.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/calls/host_table.hpp"
#include "core/registry/objects/plugin_components.hpp"
#include "core/registry/objects/plugin_image_provider.hpp"
#include "core/registry/objects/plugin_resources.hpp"
#include "core/registry/objects/plugin_scheduler.hpp"
#include "core/registry/objects/plugin_workspace.hpp"
#include "core/registry/registry.hpp"

namespace slipway::registry {

/// What one of several providers answered.
struct ProviderAnswer {
  std::string bytes;
  std::optional<Error> error;  ///< why there is no answer
  /// The plug-in crashed, ended its process or did not answer in time, which was logged.
  bool lost = false;
};

/// Not for several threads at once. Objects that it returned may outlive it; the services that they
/// use through the host do not.
class PluginHost {
 public:
  using Log =
      std::function<void(LogLevel level, std::string_view plugin_id, std::string_view message)>;

  explicit PluginHost(SearchOptions options = {}, Log log = {});
  PluginHost(const PluginHost&) = delete;
  PluginHost& operator=(const PluginHost&) = delete;

  Registry& registry() { return registry_; }

  /// Names the state directories of schedulers; see RunnerOptions::state_dirs. Before the first
  /// scheduler is made.
  void keep_state_in(Dict<std::string> state_dirs) { state_dirs_ = std::move(state_dirs); }

  /// Returns the directory below which the scheduler keeps its records.
  std::string state_dir(std::string_view scheduler) const;

  /// Lets plug-ins ask for named resources; `find` throws kNotFound and must live as long as this
  /// object. Without it they are told that this host has none.
  void serve_named_resources(std::function<Resource(std::string_view name)> find);

  /// Lets ask_each() fork query processes, with a time limit for each plug-in. For programs that
  /// have one thread and do not wait for processes that they did not start.
  void use_query_processes(std::chrono::milliseconds limit);

  /// Leaves the plug-in out of every later ask_each().
  void exclude(const std::string& plugin_id);

  using Ask = std::function<std::string(const std::string& name)>;
  using Enough = std::function<bool(const ProviderAnswer& answer)>;
  /// Calls `ask` for each of the providers `names` of a group and returns what it returned, in the
  /// order of `names`. An Error that `ask` throws is that provider's alone.
  ///
  /// With use_query_processes() all plug-ins are asked at the same time, each in a process of its own. A
  /// plug-in that crashes, ends its process or exceeds the limit is logged and given up; answers
  /// that came before count. Messages about plug-ins as such are logged with an empty plug-in id.
  /// Without it, and in a process of several threads, `ask` runs in this process, until `enough`.
  std::vector<ProviderAnswer> ask_each(Group group, const std::vector<std::string>& names,
                                       const Ask& ask, const Enough& enough = {});

  /// A new object of the scheduler called `name`, working for `session`. Throws as
  /// Registry::find_provider and Library::load, and what the plug-in says when it cannot be
  /// created.
  PluginScheduler scheduler(std::string_view name, std::string_view session);

  /// The image provider called `name`, or of the scheme of a URL ("archive:///srv/x.tar").
  PluginImageProvider image_provider(std::string_view name_or_url);

  /// The resources of the provider called `name`.
  PluginResources resources(std::string_view name);

  /// The components of the provider called `name`.
  PluginComponents components(std::string_view name);

  /// The workspace provider called `name`.
  PluginWorkspace workspace(std::string_view name);

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
  std::optional<std::chrono::milliseconds> query_limit_;
  std::set<std::string, std::less<>> excluded_;  // plug-in ids
  std::map<slipway_image_provider*, PluginImageProvider>
      lent_image_providers_;  // opened by plug-ins
};

}  // namespace slipway::registry
