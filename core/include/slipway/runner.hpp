// The C++ library of Slipway: runs and controls apps on any scheduler. The functions have the names
// of TorchX's Runner. The guide for programs is core/docs/runner.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipway/app.hpp"
#include "slipway/app_handle.hpp"
#include "slipway/app_logs.hpp"
#include "slipway/app_request.hpp"
#include "slipway/app_status.hpp"
#include "slipway/app_workspace.hpp"
#include "slipway/host.hpp"
#include "slipway/logs.hpp"
#include "slipway/plugin_search.hpp"
#include "slipway/run_opts.hpp"
#include "slipway/run_record.hpp"
#include "slipway/runner_errors.hpp"
#include "slipway/scheduler.hpp"
#include "slipway/signals.hpp"
#include "slipway/tracker.hpp"

namespace slipway {

namespace registry {
class PluginScheduler;  // internal to Slipway; programs need only the names
class PluginHost;
}  // namespace registry

namespace resources {
class ResourceBook;
}  // namespace resources

class StatusWatch;

inline constexpr const char* kDefaultSession = "slipway";
/// Stands for the default scheduler in every scheduler argument, unless a plug-in provides a
/// scheduler of this name.
inline constexpr const char* kDefaultSchedulerAlias = "default";

struct RunnerOptions {
  std::string session = kDefaultSession;  ///< the session of apps that this runner starts
  SearchOptions search;                   ///< where the runner searches for manifests
  /// Receives messages of plug-ins, from any thread, and Slipway's own, with an empty `plugin_id`.
  /// Empty drops them. A message is lost if the function throws.
  std::function<void(LogLevel level, std::string_view plugin_id, std::string_view message)> log;
  std::string default_scheduler = "local_cwd";  ///< the scheduler that "default" stands for
  /// Directories for the state of schedulers, instead of `$XDG_STATE_HOME/slipway`: absolute paths
  /// by the scheduler's name. `*` stands for every scheduler without an entry.
  Dict<std::string> state_dirs;
  std::vector<Tracker> trackers;  ///< configured trackers; the environment may name others
  /// Refuses handles of other sessions with SessionMismatch, except those of attached apps.
  bool strict_sessions = false;
  /// If set, calls several schedulers or providers at once in forked query processes, and skips a
  /// plug-in that crashes or takes longer than this. Only for single-threaded programs that do not
  /// wait for processes they did not start. If unset, calls them in this process, one after the
  /// other.
  std::optional<std::chrono::milliseconds> query_limit;
};

/// The answer of one of several schedulers.
template <class Answer>
struct SchedulerAnswer {
  std::string scheduler;
  Answer answer;
  std::optional<Error> error;  ///< the failure, if there is no answer
  bool is_logged = false;      ///< the failure was logged: the plug-in crashed or did not answer
};

/// A dry run: everything that would be submitted, and the scheduler's findings.
struct AppDryRun {
  AppDef app;             ///< includes the variables that the runner adds
  std::string scheduler;  ///< never the alias
  Cfg cfg;                ///< run options with their defaults
  std::vector<Finding> findings;
  AppRequest request;  ///< can be changed before it is scheduled, unless the app has a workspace
  std::optional<AppWorkspace> workspace;
  RunRecord record = {};  ///< schedule() completes it and keeps it with the app
  /// Called by schedule() after the submission, before the record is kept; may be empty.
  std::function<void(RunRecord&)> complete_record = {};
};

struct WaitOptions {
  std::optional<std::chrono::milliseconds> timeout;  ///< unset: no limit
  /// The state to wait for; the end of the app (is_over()) always ends the wait. Unset: only that.
  std::optional<AppState> until;
  int wake_fd = -1;  ///< borrowed; the wait ends with kInterrupted when it is readable; -1: none
  /// Called each time the runner has looked at the app, unless that ends the wait. Returns the time
  /// until the next look if nothing changes; nullopt: the runner looks again after a change.
  std::function<std::optional<std::chrono::milliseconds>(const Description&)> on_look;
  /// Called with every replica: first after 100 ms, then when some may have changed, at most ten
  /// times a second, and less often if the scheduler takes long to describe the app. Not called
  /// after a look that ends the wait. Returns the time until the next call if nothing changes;
  /// nullopt: the next call follows a change.
  std::function<std::optional<std::chrono::milliseconds>(const Description&)> on_replicas;
};

/// The detail of a status. Less detail is cheaper for apps with many replicas.
enum class StatusDetail {
  kApp,       ///< no roles
  kMerged,    ///< merges adjacent replicas that differ only in pid and times
  kReplicas,  ///< every replica
};

enum class WaitResult { kDone, kTimeout, kInterrupted, kNoSuchApp };

/// Not thread safe: each thread needs a runner of its own.
///
/// Every function may throw Error or one of the types in runner_errors.hpp: UnknownScheduler,
/// InvalidRunConfig, SessionMismatch. It throws kInvalid for an invalid app, and passes on the
/// scheduler's errors. An app that does not exist is an error only in functions that document it.
class Runner {
 public:
  explicit Runner(RunnerOptions options = {});
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  const std::string& session() const;

  /// Returns the schedulers that plug-ins provide, sorted. Loads no plug-in.
  std::vector<std::string> scheduler_backends();
  /// Returns the run options that the scheduler declares.
  RunOpts run_opts(const std::string& scheduler);

  /// Does the same for several schedulers; a failure affects only that scheduler's answer.
  std::vector<SchedulerAnswer<RunOpts>> run_opts_of(const std::vector<std::string>& schedulers);

  /// Returns the named resource of a manifest or plug-in. Throws kNotFound, with the nearest name,
  /// for an unknown name.
  Resource get_named_resources(std::string_view name);

  /// Builds the request for an app; starts and writes nothing. In this order:
  /// - gives every role its requirements on this scheduler (slipway/scheduler_resources.hpp) and
  ///   validates the app;
  /// - adds TorchX's variables to every role: TORCHX_JOB_ID, TORCHX_INTERNAL_SESSION_ID,
  ///   TORCHX_PARENT_RUN_ID if this process has that variable or `parent_run_id` is not empty, and
  ///   those of the trackers;
  /// - asks the scheduler to build the request;
  /// - applies each role's `pre_proc` to it, in the order of the roles. Throws Error(kInvalid),
  ///   which names the role, if a pre_proc returns an invalid patch or the result is not a request.
  ///
  /// With a `workspace` (a directory, or a URL whose scheme names a workspace provider), the app
  /// runs in a copy of it, which schedule() makes. The copy becomes the image of every role, and
  /// the scheduler's run option for it (OptMeaning::kWorkspaceDir) if it has one. The copy does not
  /// exist yet. If the scheduler refuses the request for that reason, the dry run has the request
  /// for the workspace itself, or for `/` if that is not a local directory. schedule() builds the
  /// request again with the copy, and calls each `pre_proc` again for it. A scheduler that ignores
  /// the workspace gets no copy.
  AppDryRun dryrun(AppDef app, const std::string& scheduler, const Dict<Value>& cfg = {},
                   const std::string& parent_run_id = {}, const std::string& workspace = {});
  /// Copies the workspace, submits the request of dryrun() and keeps the run record; a failure to
  /// keep it is logged as a warning. On error nothing was started and no copy is left, except with
  /// kOutcomeUnknown, kAbi and kInternal (a defect of the plug-in): then the app may exist, and its
  /// copy stays. Slow steps before the submission, such as fetching an image, end with kCancelled
  /// when `cancel_fd` is readable (borrowed; -1: none).
  AppHandle schedule(const AppDryRun& dryrun, const ScheduleOptions& options = {},
                     int cancel_fd = -1);
  /// Calls dryrun() and schedule().
  AppHandle run(AppDef app, const std::string& scheduler, const Dict<Value>& cfg = {});
  /// Runs the app of `handle` again on the same scheduler, as describe() returns it, with the run
  /// options `cfg`, not those of the first run. An app with a workspace runs in the copy of the
  /// first run, which also replaces the scheduler's run option for it in `cfg`. Throws UnknownApp,
  /// AppNotReRunnable if the scheduler did not keep the app, and kNotFound if the copy was deleted.
  AppHandle rerun(const AppHandle& handle, const Dict<Value>& cfg = {});

  bool exists(const AppHandle& handle);
  /// Returns the status, or nullopt if the app does not exist. If the scheduler knows that the app
  /// was deleted, throws kNotFound with the reason instead; so do wait() and describe().
  std::optional<AppStatus> status(const AppHandle& handle,
                                  StatusDetail detail = StatusDetail::kReplicas);
  /// Blocks until the app is over (is_over()) or the options end the wait. Uses the scheduler's
  /// events if it has them. Keeps waiting while the scheduler does not answer, and logs when it
  /// stops and resumes answering.
  WaitResult wait(const AppHandle& handle, const WaitOptions& options = {});
  /// Requests the end of the app and returns once the scheduler has accepted the request. Does
  /// nothing if the app does not exist, as in TorchX.
  void cancel(const AppHandle& handle, const CancelOptions& options = {});
  /// Sends `order.signal` to every process of the running replicas in `order.targets`; sets
  /// `order.app_id`. Returns a result for each named replica; one that waits or has ended is not an
  /// error. Does not cancel the app, and retries apply. Throws UnknownApp, kUsage for an invalid
  /// signal, kNotFound for an unknown role or replica, kPrecondition if the app is over,
  /// kUnimplemented if the scheduler sends no signals, and kTemporary if it does not answer; the
  /// signal may then have been sent.
  std::vector<SignalResult> signal(const AppHandle& handle, SignalOrder order);
  /// Deletes the record of a finished app, its run record and its copies of a workspace. Throws
  /// kPrecondition if the app is not finished. An app that does not exist is not an error, but may
  /// be kNotFound if this runner has described it: then another program has just deleted it.
  void delete_app(const AppHandle& handle);
  /// Returns the app as it was submitted, without the variables TORCHX_JOB_ID and
  /// TORCHX_INTERNAL_SESSION_ID, or nullopt if it does not exist or the scheduler did not keep it.
  std::optional<AppDef> describe(const AppHandle& handle);
  /// Returns what the app was started with, or nullopt if Slipway did not keep it. Throws kInvalid
  /// for a damaged record.
  std::optional<RunRecord> run_record(const AppHandle& handle);
  /// Returns apps of this user from all sessions, newest first: at least those that `query`
  /// selects. Some schedulers answer a narrow query faster.
  std::vector<ListItem> list(const std::string& scheduler, const ListQuery& query = {});
  /// Does the same for several schedulers; a failure affects only that scheduler's answer. With
  /// `foreground_only`, does not ask schedulers on which `slipway run` returns after the submission
  /// by default, such as `slurm`; their answers are empty.
  std::vector<SchedulerAnswer<std::vector<ListItem>>> list_of(
      const std::vector<std::string>& schedulers, const ListQuery& query = {},
      bool foreground_only = false);
  /// Reads the app's logs from line `from_line` on, which counts from 0 in each stream of each
  /// replica. Sets `query.app_id`. Throws UnknownApp, kNotFound for an unknown role or replica, and
  /// kUnimplemented if the scheduler keeps no logs or not this stream.
  AppLogs log_lines(const AppHandle& handle, LogQuery query, std::uint64_t from_line = 0);

  /// Brings an app of any session into this one: returns its handle in this session, which only
  /// this runner accepts, and accepts the old handle even with strict sessions. Does not change the
  /// app. Throws UnknownApp.
  AppHandle attach(const AppHandle& handle);

  /// Destroys the scheduler objects; apps keep running. The next call creates new objects.
  void close();

  // For Slipway itself, whose internal headers define these classes.
  registry::PluginHost& plugins();
  resources::ResourceBook& resources();
  /// Returns the plug-in's scheduler, for functions that Runner does not offer; valid until
  /// close().
  const registry::PluginScheduler& scheduler(const std::string& name, const std::string& session);
  /// Returns a watch of the app's state, for commands that wait for several apps; valid until
  /// close().
  StatusWatch watch_status(const AppHandle& handle);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace slipway
