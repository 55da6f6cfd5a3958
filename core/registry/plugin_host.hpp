// Returns providers by name: finds the plug-in in the registry, loads it, and creates the object.
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
#include "core/registry/objects/lent_image_provider.hpp"
#include "core/registry/objects/plugin_components.hpp"
#include "core/registry/objects/plugin_resources.hpp"
#include "core/registry/objects/plugin_scheduler.hpp"
#include "core/registry/objects/plugin_workspace.hpp"
#include "core/registry/registry.hpp"

namespace slipway::registry {

/// The answer of one of several providers.
struct ProviderAnswer {
  std::string bytes;           ///< the result of `ask`
  std::optional<Error> error;  ///< the reason if there is no answer
  /// Whether the plug-in crashed, exited, sent a damaged answer or did not answer in time, now or
  /// before it was excluded. The host has logged that.
  bool lost = false;
};

/// The functions that return objects, and the host services, are thread-safe, because commands read
/// logs in a thread of their own. The objects may outlive the host, but then the services that they
/// use fail.
class PluginHost {
 public:
  using Log =
      std::function<void(LogLevel level, std::string_view plugin_id, std::string_view message)>;

  explicit PluginHost(SearchOptions options = {}, Log log = {});
  PluginHost(const PluginHost&) = delete;
  PluginHost& operator=(const PluginHost&) = delete;

  Registry& registry() { return registry_; }

  /// Passes a message of the host itself to the function of the constructor. Drops the message if
  /// that function throws.
  void log(LogLevel level, std::string_view message) const noexcept;

  /// Sets the state directories of schedulers; see RunnerOptions::state_dirs. Must be called before
  /// scheduler().
  void set_state_dirs(Dict<std::string> state_dirs) { state_dirs_ = std::move(state_dirs); }

  /// Returns the directory in which the scheduler keeps its state: the one that is set, otherwise
  /// default_state_dir() (calls/host_table.hpp), which may throw.
  std::string state_dir(std::string_view scheduler) const;

  /// Creates that directory and its parents, with mode 0700. Creates nothing in a directory that
  /// belongs to neither this user nor root. Fails silently: a plug-in that uses the directory then
  /// fails with the reason.
  void make_state_dir(std::string_view scheduler) const;

  /// Sets the function that finds named resources for plug-ins; `find` must throw kNotFound for an
  /// unknown name. If it is never set, the host offers plug-ins no named resources.
  void serve_named_resources(std::function<Resource(std::string_view name)> find);

  /// Allows ask_each() to fork query processes, with a time limit for each plug-in. Only for
  /// programs with one thread that do not wait for unknown child processes.
  void use_query_processes(std::chrono::milliseconds limit);

  /// Excludes the plug-in from all later calls of ask_each() that use query processes.
  void exclude(const std::string& plugin_id);

  using Ask = std::function<std::string(const std::string& name)>;
  using Enough = std::function<bool(const ProviderAnswer& answer)>;
  /// Calls `ask` for each of the providers `names` of a group. Returns the results, or the Errors
  /// that `ask` threw, in the order of `names`.
  ///
  /// After use_query_processes(), queries all plug-ins at the same time, each in its own process.
  /// Logs and excludes a plug-in that crashes, exits, exceeds the limit or sends a damaged answer,
  /// but keeps the answers that it sent before. Messages of the host about a plug-in are logged
  /// with an empty plug-in id. Otherwise, and if this process has several threads, calls `ask` in
  /// this process until `enough` returns true; the remaining answers stay empty.
  ///
  /// If the limit of limit_calls() (calls/call_context.hpp) ends before all have answered, throws
  /// the error of a plug-in that has not, with the code kTimeout or kCancelled.
  std::vector<ProviderAnswer> ask_each(Group group, const std::vector<std::string>& names,
                                       const Ask& ask, const Enough& enough = {});

  /// Returns a new object of the scheduler `name` for `session`, which is empty for a handle
  /// without a session. Throws kNotFound if `session` cannot be a session's name
  /// (core/spec/name_rule.hpp). Also throws as Registry::find_provider(), Library::load() and
  /// Library::create() do, like the following functions.
  PluginScheduler scheduler(std::string_view name, std::string_view session);

  /// Returns a new object of an image provider, by its name or by a URL whose scheme is the name
  /// ("archive:///srv/x.tar").
  PluginImageProvider image_provider(std::string_view name_or_url,
                                     const slipway_cancel* cancel = nullptr);

  /// Returns a new object of a named-resource provider.
  PluginResources resources(std::string_view name);

  /// Returns a new object of a component provider.
  PluginComponents components(std::string_view name);

  /// Returns a new object of a workspace provider.
  PluginWorkspace workspace(std::string_view name);

 private:
  struct Created {
    std::shared_ptr<Library> library;
    void* object;
  };
  Created create(Group group, std::string_view name, std::string_view session,
                 const slipway_cancel* cancel = nullptr);
  const slipway_host* host_table(const std::string& plugin_id);
  const slipway_host* host_table_for(const Provider& provider);

  Registry registry_;
  std::shared_ptr<HostServices> services_;
  Dict<std::string> state_dirs_;
  std::map<std::string, const slipway_host*, std::less<>>
      tables_;  // by plug-in id, or by plug-in id and scheduler; see host_table_for()
  std::optional<std::chrono::milliseconds> query_limit_;
  std::set<std::string, std::less<>> excluded_;  // plug-in ids
  std::map<slipway_image_provider*, std::unique_ptr<LentImageProvider>>
      lent_image_providers_;  // opened by plug-ins
};

}  // namespace slipway::registry
