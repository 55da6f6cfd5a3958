// The public C++ library of Slipway: launch apps on any scheduler and answer for them. The functions are those of
// TorchX's Runner, by the same names.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/plugin_host.hpp"
#include "slipway/app.hpp"
#include "slipway/app_handle.hpp"
#include "slipway/logs.hpp"
#include "slipway/options.hpp"
#include "slipway/scheduler.hpp"
#include "slipway/status.hpp"

namespace slipway {

inline constexpr const char* kDefaultSession = "slipway";

struct RunnerOptions {
  std::string session = kDefaultSession;  ///< the session of apps that this runner starts
  registry::SearchOptions search;         ///< where manifests are looked for
  registry::PluginHost::Log log;          ///< messages of plug-ins; empty: dropped
};

/// An app on its way to a scheduler: everything that would be submitted, and what the scheduler thinks of it.
struct AppDryRun {
  AppDef app;  ///< with the variables that the runner adds
  std::string scheduler;
  Cfg cfg;  ///< resolved: defaults filled in
  std::vector<Finding> findings;
  registry::AdoptedRequest request;
};

/// An app as its scheduler describes it, with the handle it was asked by.
struct AppStatus {
  AppHandle handle;
  Description description;
};

struct WaitOptions {
  std::optional<std::chrono::milliseconds> timeout;  ///< none: for ever
  /// The state to wait for; a terminal state always ends the waiting. None: any terminal state.
  std::optional<AppState> until;
  int wake_fd = -1;  ///< borrowed; waiting ends with kInterrupted when it is readable; -1: none
};

enum class WaitResult { kDone, kTimeout, kInterrupted, kNoSuchApp };

/// Not for several threads at once; several runners may be used by several threads.
///
/// Every function may throw Error: kUsage for a malformed handle, kNotFound for an unknown scheduler, kInvalid for a
/// wrong run option or app, and whatever the scheduler reports.
class Runner {
 public:
  explicit Runner(RunnerOptions options = {});
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  const std::string& session() const { return options_.session; }
  registry::PluginHost& plugins() { return plugins_; }

  /// The schedulers that plug-ins provide, sorted. Loads none of them.
  std::vector<std::string> scheduler_backends();
  RunOpts run_opts(const std::string& scheduler);

  /// Validates the app, adds TorchX's variables (TORCHX_JOB_ID, TORCHX_INTERNAL_SESSION_ID and, when there is one,
  /// TORCHX_PARENT_RUN_ID) to every role, and lets the scheduler build its request. Starts and writes nothing.
  AppDryRun dryrun(AppDef app, const std::string& scheduler, const Dict<Value>& cfg = {},
                   const std::string& parent_run_id = {});
  /// Submits what dryrun() built. On error nothing was started. `cancel` ends what may take long before that, such as
  /// fetching an image: kCancelled.
  AppHandle schedule(const AppDryRun& dryrun, const ScheduleOptions& options = {},
                     const slipway_cancel* cancel = nullptr);
  /// dryrun() and schedule().
  AppHandle run(AppDef app, const std::string& scheduler, const Dict<Value>& cfg = {});

  /// nullopt: no such app. Without `replicas` the roles are left empty, which is cheaper for apps of many replicas.
  std::optional<AppStatus> status(const AppHandle& handle, bool replicas = true);
  /// Blocks until the app is terminal or as the options say. Driven by events where the scheduler has them.
  WaitResult wait(const AppHandle& handle, const WaitOptions& options = {});
  /// Asks the app to end; returns once that is accepted. No such app: nothing happens, as in TorchX.
  void cancel(const AppHandle& handle, const CancelOptions& options = {});
  /// Forgets a finished app.
  void delete_app(const AppHandle& handle);
  /// The app as it was submitted. nullopt: no such app, or the scheduler did not keep it.
  std::optional<AppDef> describe(const AppHandle& handle);
  /// Every app that the scheduler knows of this user, newest first.
  std::vector<ListItem> list(const std::string& scheduler);
  /// Reads the app's logs; `query.app_id` is filled in. Throws kNotFound when there is no such app, role or replica.
  registry::AdoptedLogs log_lines(const AppHandle& handle, LogQuery query);

  /// The adopted scheduler, for what is not offered above; valid as long as the runner.
  const registry::AdoptedScheduler& scheduler(const std::string& name, const std::string& session);

 private:
  const registry::AdoptedScheduler& scheduler_of(const AppHandle& handle);

  RunnerOptions options_;
  registry::PluginHost plugins_;
  std::map<std::pair<std::string, std::string>, registry::AdoptedScheduler>
      schedulers_;  // by name and session
};

}  // namespace slipway
