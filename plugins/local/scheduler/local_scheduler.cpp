#include "plugins/local/scheduler/local_scheduler.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "plugins/local/engine/app_events.hpp"
#include "plugins/local/engine/app_list.hpp"
#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/app_reader.hpp"
#include "plugins/local/engine/control.hpp"
#include "plugins/local/engine/deleted_apps.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "plugins/local/engine/helper_process.hpp"
#include "plugins/local/engine/launch.hpp"
#include "plugins/local/engine/machine_leases.hpp"
#include "plugins/local/engine/private_mounts.hpp"
#include "plugins/local/engine/retention.hpp"
#include "plugins/local/scheduler/app_description.hpp"
#include "plugins/local/scheduler/local_logs.hpp"
#include "plugins/local/scheduler/local_options.hpp"
#include "plugins/local/scheduler/port_map.hpp"
#include "plugins/local/scheduler/request_builder.hpp"
#include "plugins/local/scheduler/role_needs.hpp"
#include "plugins/local/scheduler/signal_order.hpp"
#include "sdk/support/app_record.hpp"
#include "sdk/support/installed_helper.hpp"
#include "sdk/support/own_environment.hpp"
#include "sdk/support/wake_event.hpp"
#include "slipway/error.hpp"

namespace slipway::local {

namespace {

/// The scheduler that lists unreadable records, which do not name their scheduler.
constexpr std::string_view kListsUnreadable = "local_cwd";

std::string helper_path() {
  // A command may start several successors, and the path never changes.
  static const std::string path = installed_helper(kHelperName);
  return path;
}

/// Returns what `read` returns. Throws kTemporary for a damaged record while the app has a
/// supervisor, because the supervisor repairs the record.
template <class Read>
auto read_repairable(const AppRef& app, const Read& read) {
  try {
    return read();
  } catch (const Error& damage) {
    if (damage.code() != Code::kInvalid || !has_supervisor(app)) throw;
    throw Error(Code::kTemporary, damage.message(),
                "a supervisor still runs this app: try again, or end it with `slipway cancel`");
  }
}

/// Passes on the notifications of the app's supervisor. Without a supervisor, the descriptor is
/// always readable.
class LocalEvents : public Events {
 public:
  LocalEvents(const AppRef& app, std::optional<AppEvents> events)
      : record_(hold_record(app)), events_(std::move(events)) {
    if (!events_) ended_.emplace().raise();
  }
  int fd() const override { return events_ ? events_->fd() : ended_->fd(); }
  bool drain() override { return events_ && events_->drain(); }

 private:
  OwnedFd record_;  // keeps the record, which the caller reads after the end
  std::optional<AppEvents> events_;
  std::optional<WakeEvent> ended_;  // raised, if the app has no supervisor
};

/// Returns the fields that a local scheduler acts on with these options. The second text of a field
/// is the run option without which the scheduler ignores it; empty: it acts on the field. Devices
/// are not in the list, because submit_dryrun() reports which of them this machine has. `image` is
/// in the list, because submit_dryrun() reports where it is ignored.
std::vector<AppField> acted_on(const LocalOptions& options) {
  const bool enforces = options.enforce != Enforce::kNone;
  const char* to_enforce = enforces ? "" : "with -c enforce=cgroup (or rlimit)";
  const bool assigns_gpus = options.lease_gpus || options.auto_set_cuda_visible_devices;
  return {
      {"image", ""},
      {"min_replicas", ""},
      {"max_retries", ""},
      {"retry_policy.APPLICATION", ""},
      {"retry_policy.REPLICA", ""},
      {"retry_policy.ROLE", ""},
      {"port_map", ""},
      {"metadata", ""},
      {"resource.cpu", to_enforce},
      {"resource.cpu.fraction",
       options.enforce == Enforce::kCgroup ? "" : "with -c enforce=cgroup"},
      {"resource.memMB", to_enforce},
      {"resource.gpu", assigns_gpus ? "" : "with -c gpus=lease"},
      {"resource.tags", ""},
      {"mounts.bind", ""},
      {"macros", ""},
      {"service", ""},
      {"cwd", ""},
      {"timeout_s", ""},
      {"grace_s", ""},
      {"retry_on", ""},
      {"backoff", ""},
      {"ready", ""},
      {"depends_on", ""},
      {"app.metadata", ""},
  };
}

/// Checks that the mounts are possible before any process starts, and chooses the pool of GPU
/// leases.
void prepare_needs(LaunchPlan& plan) {
  const std::string* tried_role = nullptr;
  for (const LaunchGroup& group : plan.groups) {
    // All groups of a role have the same mounts.
    if (tried_role == nullptr || *tried_role != group.role)
      try_mounts(group.role, group.needs.mounts);
    tried_role = &group.role;
  }
  if (plan.machine_gpus > 0) plan.lease_pool = lease_pool();
}

}  // namespace

/// Returns the apps below `state_root`. Logs a warning and returns none if they cannot be listed,
/// because that must not prevent a launch.
std::vector<AppSummary> LocalScheduler::others_below(const std::string& state_root) const {
  try {
    return list_apps(state_root);
  } catch (const Error& error) {
    host().log(LogLevel::kWarning, "old apps were not deleted: " + error.message());
    return {};
  }
}

LocalScheduler::LocalScheduler(Host host, CreateArgs create_args)
    : Scheduler(host, create_args), images_(host, create_args) {}

std::string LocalScheduler::state_root(const Call& call) const {
  return host().state_dir(call) + "/local";
}

AppRef LocalScheduler::ref(std::string_view app_id, const Call& call) const {
  return {state_root(call), args().session, std::string(app_id)};
}

std::optional<AppSummary> LocalScheduler::find(const AppRef& app) const {
  auto summary = ensure_supervised(app, helper_path);
  if (summary && summary->scheduler != args().name) summary.reset();
  return summary;
}

/// Returns whether this scheduler has the app. An app whose damaged record does not name its
/// scheduler belongs to each of them. Throws kUnavailable if the app is foreign and has not ended.
bool LocalScheduler::find_or_damaged(const AppRef& app) const {
  try {
    const auto summary = find(app);
    if (summary && !is_terminal(summary->state)) require_own(app, *summary);
    return summary.has_value();
  } catch (const Error& damage) {
    if (damage.code() != Code::kInvalid) throw;
    return true;
  }
}

RunOpts LocalScheduler::run_opts(const Call&) { return declared_options(args().entry); }

std::optional<std::vector<AppField>> LocalScheduler::app_fields(const Cfg& cfg, const Call&) {
  return acted_on(read_options(cfg));
}

std::unique_ptr<Request> LocalScheduler::submit_dryrun(const AppDef& app, const Cfg& cfg,
                                                       const OnFinding& on_finding,
                                                       const Call& call) {
  const BuildContext context{args().name, args().session, state_root(call),
                             images_,     call,           on_finding};
  for (const Role& role : app.roles) report_devices(role, host(), call, on_finding);
  return build_request(app, read_options(cfg), context);
}

Submission LocalScheduler::schedule(const Request& request, const ScheduleOptions& options,
                                    const Call& call) {
  const auto& local = static_cast<const LocalRequest&>(request);
  LaunchRequest launch;
  launch.state_root = state_root(call);
  launch.plan = local.absolute_plan();
  // Without a directory the engine puts the logs into the record.
  if (local.options().log_dir.empty()) launch.plan.log_dir.clear();
  images_.fetch(local, launch.plan, call);
  prepare_needs(launch.plan);
  const std::vector<OwnedFd> leases = choose_ports(launch.plan, local.app(), call);
  for (const OwnedFd& lease : leases) launch.lease_fds.push_back(lease.get());
  launch.plan.environment = own_environment();
  launch.plan.owned = options.foreground;
  launch.spec_json = records::app_to_json(local.app());
  launch.helper_path = helper_path();
  launch.owner_fd = options.owner_fd;
  std::vector<AppSummary> others = others_below(launch.state_root);
  launch.plan.order = order_after(others);
  OwnedFd record = launch_app(launch);
  if (options.foreground) owned_apps_.push_back(std::move(record));
  prune(launch.state_root, std::move(others), local.options().retention());
  return {launch.plan.app_id};
}

void LocalScheduler::prune(const std::string& state_root, std::vector<AppSummary> apps,
                           const Retention& keep) {
  const Pruned pruned = prune_finished(state_root, std::move(apps), keep);
  if (pruned.apps_over_bytes == 0) return;
  const std::string oldest = pruned.apps_over_bytes == 1
                                 ? "oldest finished app"
                                 : std::to_string(pruned.apps_over_bytes) + " oldest finished apps";
  host().log(LogLevel::kInfo, "deleted the records of the " + oldest +
                                  ", with the logs inside them, because all records took more "
                                  "disk space than the run option keep_gb allows");
}

void LocalScheduler::throw_if_deleted(const AppRef& app) const {
  const auto why = why_deleted(app);
  if (!why) return;
  throw Error(Code::kNotFound, why->text,
              why->by_rule ? "to keep apps longer, set the option under [scheduler." + args().name +
                                 "] in a configuration file"
                           : "`slipway list --all` shows the apps that exist");
}

std::optional<Description> LocalScheduler::describe(std::string_view app_id, std::uint32_t want,
                                                    const Call& call) {
  const AppRef app = ref(app_id, call);
  auto out = read_repairable(app, [&] { return describe(app, want); });
  if (!out) throw_if_deleted(app);
  return out;
}

std::optional<Description> LocalScheduler::describe(const AppRef& app, std::uint32_t want) {
  const auto summary = find(app);
  if (!summary) return std::nullopt;
  described_.insert(app.app_id);
  if (want == 0) return local::describe(*summary);
  const bool merged = (want & SLIPWAY_WANT_MERGED) != 0;
  const auto snapshot = read_repaired(app, helper_path, merged ? Detail::kMerged : Detail::kEach);
  if (!snapshot) return std::nullopt;
  Description out = local::describe(*snapshot, read_details(app, *snapshot));
  if ((want & SLIPWAY_WANT_APP_DEF) != 0) {
    if (const auto record = read_spec(app)) out.app = records::app_from_json(*record);
  }
  return out;
}

bool LocalScheduler::exists(std::string_view app_id, const Call& call) {
  const auto summary = read_summary(ref(app_id, call));
  return summary && summary->scheduler == args().name;
}

void LocalScheduler::cancel(std::string_view app_id, const CancelOptions& options,
                            const Call& call) {
  const AppRef app = ref(app_id, call);
  if (!find_or_damaged(app)) return;
  std::optional<std::chrono::milliseconds> grace;
  if (options.grace_ms) grace = std::chrono::milliseconds(*options.grace_ms);
  cancel_app(app, helper_path, grace, options.now);
}

std::vector<SignalResult> LocalScheduler::signal(const SignalOrder& order, const Call& call) {
  const AppRef app = ref(order.app_id, call);
  const auto summary = read_repairable(app, [&] { return find(app); });
  if (!summary) throw Error(Code::kNotFound, "there is no app " + order.app_id);
  if (!is_terminal(summary->state)) require_own(app, *summary);
  return carry_out(order, app, helper_path);
}

void LocalScheduler::delete_app(std::string_view app_id, const Call& call) {
  const AppRef app = ref(app_id, call);
  if (find_or_damaged(app)) {
    local::delete_app(app, call);
    described_.erase(app.app_id);
    return;
  }
  // Another command has deleted an app that existed a moment ago. Only one of the two may report
  // success.
  if (described_.count(app.app_id) != 0)
    throw Error(Code::kNotFound, "there is no app " + app.app_id);
}

std::vector<ListItem> LocalScheduler::list(const ListQuery&, const Call& call) {
  std::vector<ListItem> out;
  const std::string root = state_root(call);
  std::map<std::string, int> elsewhere;
  for (AppSummary& app : list_apps(root, args().name)) {
    const AppRef place{root, app.session, app.app_id};
    if (!is_terminal(app.state) && !refresh(place, app)) continue;
    if (!is_terminal(app.state) && app.foreign == Foreign::kMachine) ++elsewhere[app.host];
    out.push_back(list_item(app));
  }
  for (const auto& [host_name, apps] : elsewhere) {
    host().log(LogLevel::kWarning, std::to_string(apps) + (apps == 1 ? " app runs" : " apps run") +
                                       " on " + host_name +
                                       ", another machine; the list shows the last recorded state");
  }
  std::reverse(out.begin(), out.end());  // newest first
  return out;
}

bool LocalScheduler::refresh(const AppRef& place, AppSummary& app) {
  const bool was_readable = app.problem.empty();
  try {
    auto now = ensure_supervised(place, helper_path);
    if (!now) return false;
    app = std::move(*now);
    return app.scheduler == args().name;
  } catch (const Error& error) {
    if (!was_readable && args().name != kListsUnreadable) return false;
    host().log(LogLevel::kWarning, error.message());
    return true;
  }
}

std::unique_ptr<Events> LocalScheduler::events_open(std::string_view app_id, EventScope scope,
                                                    const Call& call) {
  const AppRef app = ref(app_id, call);
  const auto summary = read_repairable(app, [&] { return find(app); });
  if (!summary) throw Error(Code::kNotFound, "there is no app " + std::string(app_id));
  if (!is_terminal(summary->state)) require_own(app, *summary);
  return std::make_unique<LocalEvents>(
      app,
      AppEvents::open(app, scope == EventScope::kState ? Changes::kState : Changes::kReplicas));
}

std::unique_ptr<LogIterator> LocalScheduler::log_open(const LogQuery& query, const Call& call) {
  const AppRef app = ref(query.app_id, call);
  const auto summary = read_repairable(app, [&] { return find(app); });
  if (!summary) throw_if_deleted(app);
  if (!summary) throw Error(Code::kNotFound, "there is no app " + query.app_id);
  // Nothing on this machine reports the end of a foreign app.
  if (query.follow && !is_terminal(summary->state)) require_own(app, *summary);
  const auto snapshot = read_repairable(app, [&] { return read_repaired(app, helper_path); });
  if (!snapshot) throw Error(Code::kNotFound, "there is no app " + query.app_id);
  return std::make_unique<LocalLogs>(app, log_sources(*snapshot, query), query, helper_path,
                                     host());
}

}  // namespace slipway::local
