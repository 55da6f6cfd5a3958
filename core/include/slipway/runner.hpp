// The C++ library of Slipway: launch apps on any scheduler and answer for them. The functions are those of TorchX's
// Runner, by the same names. How to use it from a program: core/docs/runner.md.
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
#include "slipway/runner_errors.hpp"
#include "slipway/scheduler.hpp"
#include "slipway/signals.hpp"
#include "slipway/tracker.hpp"

namespace slipway {

namespace registry {
class AdoptedScheduler;  // of Slipway itself; a program needs no more than the names
class PluginHost;
}  // namespace registry

namespace resources {
class ResourceBook;
}  // namespace resources

class SteadyLook;

inline constexpr const char* kDefaultSession = "slipway";
/// Names the default scheduler wherever a scheduler is named, unless a plug-in provides one of this name.
inline constexpr const char* kDefaultSchedulerAlias = "default";

struct RunnerOptions {
  std::string session = kDefaultSession;  ///< the session of apps that this runner starts
  SearchOptions search;                   ///< where manifests are looked for
  /// Messages of plug-ins, from any thread; empty: dropped. The id is empty in messages about plug-ins.
  std::function<void(LogLevel level, std::string_view plugin_id, std::string_view message)> log;
  std::string default_scheduler = "local_cwd";  ///< what "default" means
  /// Where schedulers keep their records instead of `$XDG_STATE_HOME/slipway`: absolute paths by the scheduler's name; `*`
  /// stands for every scheduler that has no entry of its own.
  Dict<std::string> state_dirs;
  std::vector<Tracker> trackers;  ///< configured ones; the environment may name others
  /// Refuse handles of other sessions with SessionMismatch, but for attached apps.
  bool strict_sessions = false;
  /// Ask several schedulers or providers at once, in helper processes that are forked for it, and go on without a plug-in
  /// that crashes or takes longer than this. Only for programs with one thread, which do not wait for processes that they
  /// did not start. None: they are asked in this process, one after the other.
  std::optional<std::chrono::milliseconds> helper_limit;
};

/// What one of several schedulers answered.
template <class Answer>
struct SchedulerAnswer {
  std::string scheduler;
  Answer answer;
  std::optional<Error> error;  ///< why there is no answer
  bool lost = false;           ///< its plug-in crashed or did not answer, which was logged
};

/// An app on its way to a scheduler: everything that would be submitted, and what the scheduler thinks of it.
struct AppDryRun {
  AppDef app;             ///< with the variables that the runner adds
  std::string scheduler;  ///< never the alias
  Cfg cfg;                ///< resolved: defaults filled in
  std::vector<Finding> findings;
  AppRequest request;  ///< may be changed before it is scheduled, unless there is a workspace
  std::optional<AppWorkspace> workspace;
};

struct WaitOptions {
  std::optional<std::chrono::milliseconds> timeout;  ///< none: for ever
  /// The state to wait for; a terminal state always ends the waiting. None: any terminal state.
  std::optional<AppState> until;
  int wake_fd = -1;  ///< borrowed; waiting ends with kInterrupted when it is readable; -1: none
  /// Called after each look at an app that is not over. Returns the time until the next look if nothing changes; none: the
  /// next change decides.
  std::function<std::optional<std::chrono::milliseconds>(const Description&)> on_look;
};

/// How much a status tells: the less, the cheaper for apps of many replicas.
enum class StatusDetail {
  kApp,     ///< no roles
  kMerged,  ///< replicas next to each other that differ in pid and times alone may be one (ReplicaStatus::count)
  kReplicas,  ///< every replica
};

enum class WaitResult { kDone, kTimeout, kInterrupted, kNoSuchApp };

/// Not for several threads at once; several runners may be used by several threads.
///
/// Every function may throw Error, in the types of runner_errors.hpp where they fit: UnknownScheduler, InvalidRunConfig,
/// SessionMismatch; kInvalid for a wrong app, and whatever the scheduler reports. An app that does not exist is an error
/// only where a function says so.
class Runner {
 public:
  explicit Runner(RunnerOptions options = {});
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  const std::string& session() const;

  /// The schedulers that plug-ins provide, sorted. Loads none of them.
  std::vector<std::string> scheduler_backends();
  RunOpts run_opts(const std::string& scheduler);

  /// The same of several schedulers; a failure is that scheduler's alone.
  std::vector<SchedulerAnswer<RunOpts>> run_opts_of(const std::vector<std::string>& schedulers);

  /// The named resource, from manifests or plug-ins. Throws kNotFound, with the nearest name, when nobody defines it.
  Resource get_named_resources(std::string_view name);

  /// Gives every role what it requires on this scheduler (for_scheduler()), validates the app, adds TorchX's variables
  /// (TORCHX_JOB_ID, TORCHX_INTERNAL_SESSION_ID and, when there is one, TORCHX_PARENT_RUN_ID and those of the trackers)
  /// to every role, lets the scheduler build its request, and applies the `pre_proc` of each role to it, in the order of
  /// the roles. Starts and writes nothing. A pre_proc whose patch is no patch, or makes no
  /// request, is an Error kInvalid that names the role.
  ///
  /// With a `workspace` (a directory, or a URL whose scheme names a workspace provider) the app is to run in a copy of it,
  /// which schedule() makes: the image of every role, and the run option job_dir where the scheduler has one. Where a
  /// scheduler must see an image to build its request, it is shown the workspace itself, and schedule() asks it again.
  AppDryRun dryrun(AppDef app, const std::string& scheduler, const Dict<Value>& cfg = {},
                   const std::string& parent_run_id = {}, const std::string& workspace = {});
  /// Submits what dryrun() built, and copies the workspace before. On error nothing was started, and no copy is left. What may take long before that, such as fetching an
  /// image, ends with kCancelled when `cancel_fd` is readable (borrowed; -1: none).
  AppHandle schedule(const AppDryRun& dryrun, const ScheduleOptions& options = {},
                     int cancel_fd = -1);
  /// dryrun() and schedule().
  AppHandle run(AppDef app, const std::string& scheduler, const Dict<Value>& cfg = {});
  /// Runs the app of `handle` once more, as it was submitted, on the same scheduler. Throws UnknownApp, and
  /// AppNotReRunnable where the scheduler did not keep the app.
  AppHandle rerun(const AppHandle& handle, const Dict<Value>& cfg = {});

  bool exists(const AppHandle& handle);
  /// nullopt: no such app.
  std::optional<AppStatus> status(const AppHandle& handle,
                                  StatusDetail detail = StatusDetail::kReplicas);
  /// Blocks until the app is over (is_over()) or as the options say. Driven by events where the scheduler has them. A
  /// scheduler that stops answering meanwhile is waited for; the log gets a line then, and when it answers again.
  WaitResult wait(const AppHandle& handle, const WaitOptions& options = {});
  /// Asks the app to end; returns once that is accepted. No such app: nothing happens, as in TorchX.
  void cancel(const AppHandle& handle, const CancelOptions& options = {});
  /// Sends the signal `order.signal` to every process of the replicas that `order.targets` name and
  /// that run now; `order.app_id` is filled in. Returns a result for each replica that is named: one
  /// that waits or has ended is not an error. The app is not cancelled by it, and retries apply.
  /// Throws UnknownApp; kUsage for a number that is no signal; kNotFound when there is no such role
  /// or replica; kPrecondition when the app is over; kUnimplemented when the scheduler sends no
  /// signals; kTemporary when it does not answer, and then the signal may have been sent.
  std::vector<SignalResult> signal(const AppHandle& handle, SignalOrder order);
  /// Forgets a finished app; kPrecondition while it is not finished. No such app: nothing happens.
  void delete_app(const AppHandle& handle);
  /// The app as it was submitted, less what the runner had added. nullopt: no such app, or the scheduler did not keep it.
  std::optional<AppDef> describe(const AppHandle& handle);
  /// Every app that the scheduler knows of this user, of all sessions, newest first.
  std::vector<ListItem> list(const std::string& scheduler);
  /// The same of several schedulers; a failure is that scheduler's alone. Leaves out schedulers whose apps do not belong to
  /// a terminal by default, if `foreground_only`.
  std::vector<SchedulerAnswer<std::vector<ListItem>>> list_of(
      const std::vector<std::string>& schedulers, bool foreground_only = false);
  /// Reads the app's logs from their line `from_line` on (0: the first, counted for each stream of each replica);
  /// `query.app_id` is filled in. Throws UnknownApp, kNotFound when there is no such role or replica, kUnimplemented
  /// when the scheduler keeps no logs or not the stream.
  AppLogs log_lines(const AppHandle& handle, LogQuery query, std::uint64_t from_line = 0);

  /// Takes an app of any session into this one: returns its handle in this session, good for this runner alone, and lets
  /// the old handle pass where sessions are strict. The app itself is not touched. Throws UnknownApp.
  AppHandle attach(const AppHandle& handle);

  /// Ends the scheduler objects that were made; apps go on. The next call makes new ones.
  void close();

  // For the parts of Slipway itself, whose headers complete these classes.
  registry::PluginHost& plugins();
  resources::ResourceBook& resources();
  /// The adopted scheduler, for what is not offered above; valid until close().
  const registry::AdoptedScheduler& scheduler(const std::string& name, const std::string& session);
  /// For waiting for several apps at once; valid until close().
  SteadyLook steady_look(const AppHandle& handle);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace slipway
