#include "core/runner/runner.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "core/registry/calls/call_context.hpp"
#include "core/registry/queries/query_results.hpp"
#include "core/runner/ignored_fields.hpp"
#include "core/runner/kept_runs.hpp"
#include "core/runner/poll_timeout.hpp"
#include "core/runner/replica_variables.hpp"
#include "core/runner/replica_watch.hpp"
#include "core/runner/request_building.hpp"
#include "core/runner/run_options.hpp"
#include "core/runner/status_watch.hpp"
#include "core/runner/workspace.hpp"
#include "core/spec/problem.hpp"
#include "core/spec/validate.hpp"
#include "slipway/error.hpp"
#include "slipway/scheduler_resources.hpp"

namespace slipway {

namespace {

using Clock = std::chrono::steady_clock;

Cfg resolve(const RunOpts& declared, const Dict<Value>& given) {
  try {
    return resolve_options(declared, given);
  } catch (const Error& error) {
    throw InvalidRunConfig(error);
  }
}

/// Returns the flags SLIPWAY_WANT_… of describe().
std::uint32_t flags_of(StatusDetail detail) {
  switch (detail) {
    case StatusDetail::kApp: return 0;
    case StatusDetail::kMerged: return SLIPWAY_WANT_REPLICAS | SLIPWAY_WANT_MERGED;
    case StatusDetail::kReplicas: break;
  }
  return SLIPWAY_WANT_REPLICAS;
}

/// Returns whether the wait for the app is over.
bool has_reached(const Description& app, const std::optional<AppState>& until) {
  return is_over(app) || (until && app.state == *until);
}

}  // namespace

struct Runner::Parts {
  explicit Parts(RunnerOptions given)
      : options(std::move(given)), plugins(options.search, options.log), resources(plugins) {
    plugins.set_state_dirs(options.state_dirs);
    if (options.query_limit) plugins.use_query_processes(*options.query_limit);
    plugins.serve_named_resources([this](std::string_view name) { return resources.get(name); });
  }

  /// Returns the default scheduler's name if `name` is its alias, otherwise `name`.
  std::string real_name(const std::string& name) {
    if (name != kDefaultSchedulerAlias) return name;
    const auto names = plugins.registry().names(registry::Group::kSchedulers);
    // A plug-in may provide a scheduler with the name of the alias.
    const bool provided = std::find(names.begin(), names.end(), name) != names.end();
    return provided ? name : options.default_scheduler;
  }

  /// Returns the session in which the app of `handle` was started. With strict sessions, throws
  /// SessionMismatch for an app of another session that is not attached.
  std::string home_session(const AppHandle& handle) {
    const auto found = attached.find({real_name(handle.scheduler), handle.app_id});
    if (handle.session == options.session)
      return found != attached.end() ? found->second : handle.session;
    const bool is_attached = found != attached.end() && found->second == handle.session;
    if (options.strict_sessions && !is_attached) throw SessionMismatch(handle, options.session);
    return handle.session;
  }

  const registry::PluginScheduler& scheduler(const std::string& alias,
                                             const std::string& session_name) {
    const std::string name = real_name(alias);
    const auto key = std::make_pair(name, session_name);
    auto found = schedulers.find(key);
    if (found == schedulers.end()) {
      find_provider(name);
      found = schedulers.emplace(key, plugins.scheduler(name, session_name)).first;
    }
    return found->second;
  }

  /// Calls `ask` for each of the schedulers, possibly in query processes. `read` decodes the bytes
  /// of its result.
  template <class Answer, class Ask, class Read>
  std::vector<SchedulerAnswer<Answer>> ask_each(const std::vector<std::string>& names, Ask ask,
                                                Read read) {
    std::vector<std::string> real_names;
    for (const std::string& name : names) real_names.push_back(real_name(name));
    std::vector<registry::ProviderAnswer> answers =
        plugins.ask_each(registry::Group::kSchedulers, real_names, [&](const std::string& name) {
          return registry::to_bytes(ask(scheduler(name, options.session)));
        });
    std::vector<SchedulerAnswer<Answer>> out;
    for (std::size_t i = 0; i < names.size(); ++i) {
      SchedulerAnswer<Answer>& each = out.emplace_back();
      each.scheduler = names[i];
      each.error = std::move(answers[i].error);
      each.is_logged = answers[i].lost;
      if (!each.error) each.answer = read(answers[i].bytes);
    }
    return out;
  }

  /// Returns the name of the run record of the app.
  RunRecordName record_name(const AppHandle& handle) {
    return {home_session(handle), handle.app_id};
  }

  const registry::PluginScheduler& scheduler_of(const AppHandle& handle) {
    return scheduler(handle.scheduler, home_session(handle));
  }

  RunnerOptions options;
  registry::PluginHost plugins;
  resources::ResourceBook resources;
  std::map<std::pair<std::string, std::string>, registry::PluginScheduler>
      schedulers;  // by name and session
  std::map<std::pair<std::string, std::string>, std::string>
      attached;  // by the scheduler's real name and app id: the session that the app was started in

 private:
  void find_provider(const std::string& name) {
    try {
      plugins.registry().find_provider(registry::Group::kSchedulers, name);
    } catch (const Error& error) {
      if (error.code() == Code::kNotFound) throw UnknownScheduler(error);
      throw;
    }
  }
};

Runner::Runner(RunnerOptions options) : parts_(std::make_unique<Parts>(std::move(options))) {}

Runner::~Runner() = default;

const std::string& Runner::session() const { return parts_->options.session; }

registry::PluginHost& Runner::plugins() { return parts_->plugins; }

resources::ResourceBook& Runner::resources() { return parts_->resources; }

Resource Runner::get_named_resources(std::string_view name) { return parts_->resources.get(name); }

std::vector<std::string> Runner::scheduler_backends() {
  return parts_->plugins.registry().names(registry::Group::kSchedulers);
}

RunOpts Runner::run_opts(const std::string& scheduler_name) {
  return scheduler(scheduler_name, session()).run_opts();
}

std::vector<SchedulerAnswer<RunOpts>> Runner::run_opts_of(
    const std::vector<std::string>& schedulers) {
  return parts_->ask_each<RunOpts>(
      schedulers, [](const registry::PluginScheduler& each) { return each.run_opts(); },
      registry::options_from);
}

AppDryRun Runner::dryrun(AppDef app, const std::string& scheduler_name, const Dict<Value>& cfg,
                         const std::string& parent_run_id, const std::string& workspace_text) {
  const registry::PluginScheduler& target = scheduler(scheduler_name, session());
  app = for_scheduler(std::move(app), target.name());
  spec::ProblemList problems;
  spec::validate(app, problems);
  problems.throw_if_errors();
  if (target.needs_resources()) require_resources(app, target.name());
  const RunOpts declared = target.run_opts();
  Cfg resolved = resolve(declared, cfg);
  add_run_variables(app, target.name(), session(), parent_run_id);
  add_trackers(app, active_trackers(parts_->options.trackers));
  const std::optional<std::vector<AppField>> acted_on = target.app_fields(resolved);
  RunRecord record;
  record.options = recorded_options(declared, cfg);
  record.labels = app.metadata;
  std::vector<Finding> findings;
  std::optional<AppWorkspace> workspace;
  std::optional<AppRequest> request;
  if (!workspace_text.empty()) {
    AppDef in_copy = app;
    Cfg with_copy = resolved;
    AppWorkspace planned = plan_workspace(parts_->plugins, workspace_text, target.name(), declared,
                                          in_copy, with_copy);
    request = request_before_copy(target, in_copy, planned, with_copy, findings);
    if (ignores_workspace(findings)) {
      request.reset();
      // The request without the copy has findings of its own.
      std::erase_if(findings, [](const Finding& one) { return one.field != "workspace"; });
    } else {
      app = std::move(in_copy);
      resolved = std::move(with_copy);
      record.workspace = recorded_workspace(planned, declared);
      workspace = std::move(planned);
    }
  }
  if (!request) request = target.submit_dryrun(app, resolved, findings);
  apply_pre_procs(app, target.name(), *request);
  add_ignored_fields(app, acted_on, findings);
  add_ignored_options(app, declared, resolved, findings);
  return {std::move(app),      target.name(),        std::move(resolved), std::move(findings),
          *std::move(request), std::move(workspace), std::move(record)};
}

AppHandle Runner::schedule(const AppDryRun& dryrun, const ScheduleOptions& options, int cancel_fd) {
  const slipway_cancel watched(cancel_fd);
  const registry::PluginScheduler& target = scheduler(dryrun.scheduler, session());
  parts_->plugins.make_state_dir(dryrun.scheduler);
  const Submission made =
      submit_dry_run(parts_->plugins, target, dryrun, options, cancel_fd >= 0 ? &watched : nullptr);
  AppHandle handle{dryrun.scheduler, session(), made.app_id};
  std::function<bool(const RunRecordName&)> exists;
  // Only the run records of these schedulers can outlive the apps.
  if (target.deletes_old_apps()) {
    exists = [&](const RunRecordName& name) {
      return scheduler(dryrun.scheduler, name.session).exists(name.app_id);
    };
  }
  keep_run(parts_->plugins, dryrun, handle, exists);
  return handle;
}

AppHandle Runner::run(AppDef app, const std::string& scheduler_name, const Dict<Value>& cfg) {
  return schedule(dryrun(std::move(app), scheduler_name, cfg));
}

AppHandle Runner::rerun(const AppHandle& handle, const Dict<Value>& cfg) {
  if (!exists(handle)) throw UnknownApp(handle);
  std::optional<AppDef> app = describe(handle);
  if (!app) throw AppNotReRunnable(handle);
  std::optional<RecordedWorkspace> workspace;
  try {
    if (std::optional<RunRecord> first = run_record(handle))
      workspace = std::move(first->workspace);
  } catch (const Error&) {
    // A damaged record keeps all copies (RunRecords::any_uses()), so the app's images still exist.
  }
  Dict<Value> options = cfg;
  if (workspace) use_recorded_copy(*workspace, options);
  AppDryRun again = dryrun(*std::move(app), handle.scheduler, options);
  // The copy of the first run must stay as long as either record names it.
  again.record.workspace = std::move(workspace);
  return schedule(again);
}

bool Runner::exists(const AppHandle& handle) {
  return parts_->scheduler_of(handle).exists(handle.app_id);
}

std::optional<AppStatus> Runner::status(const AppHandle& handle, StatusDetail detail) {
  auto description = parts_->scheduler_of(handle).describe(handle.app_id, flags_of(detail));
  if (!description) return std::nullopt;
  return AppStatus{handle, std::move(*description)};
}

WaitResult Runner::wait(const AppHandle& handle, const WaitOptions& options) {
  std::optional<Clock::time_point> deadline;
  if (options.timeout) deadline = time_after(*options.timeout);
  StatusWatch app = watch_status(handle);
  StatusWatch::Answer answer;
  std::optional<ReplicaWatch> replicas;
  std::optional<Clock::time_point> next_query = Clock::now();
  while (true) {
    const auto due = earliest(next_query, deadline);
    if (due && Clock::now() >= *due) {  // also once at the deadline, before the wait gives up
      answer = app.query();
      if (answer.is_available && !answer.description) return WaitResult::kNoSuchApp;
      if (answer.is_available && has_reached(*answer.description, options.until))
        return WaitResult::kDone;
      next_query = app.next_query();
      if (answer.is_available && options.on_look) {
        const auto pause = options.on_look(*answer.description);
        if (pause) next_query = earliest(next_query, time_after(*pause));
      }
    }
    std::optional<Clock::time_point> next_step;
    if (options.on_replicas && answer.is_available) {
      if (!replicas)
        replicas.emplace(parts_->scheduler_of(handle), handle.app_id, options.on_replicas);
      replicas->step();
      next_step = replicas->next_step();
    }
    if (deadline && Clock::now() >= *deadline) return WaitResult::kTimeout;
    const int replicas_fd = replicas && answer.is_available ? replicas->fd() : -1;
    pollfd fds[] = {{app.fd(), POLLIN, 0}, {options.wake_fd, POLLIN, 0}, {replicas_fd, POLLIN, 0}};
    const int timeout = poll_timeout(earliest(earliest(deadline, next_query), next_step));
    const int ready = ::poll(fds, 3, timeout);
    if (ready < 0 && errno != EINTR)
      throw Error(Code::kInternal,
                  std::string("cannot wait for events of an app: ") + std::strerror(errno));
    if (ready > 0 && fds[1].revents != 0) return WaitResult::kInterrupted;
    if (ready > 0 && fds[0].revents != 0) {
      app.drain();
      next_query = app.next_query().value_or(Clock::now());
    }
  }
}

StatusWatch Runner::watch_status(const AppHandle& handle) {
  return StatusWatch(
      parts_->scheduler_of(handle), handle.app_id,
      [this](LogLevel level, const std::string& message) { parts_->plugins.log(level, message); });
}

void Runner::cancel(const AppHandle& handle, const CancelOptions& options) {
  parts_->scheduler_of(handle).cancel(handle.app_id, options);
}

std::vector<SignalResult> Runner::signal(const AppHandle& handle, SignalOrder order) {
  if (order.signal < kFirstSignal || order.signal > kLastSignal) {
    throw Error(Code::kUsage, "no signal has the number " + std::to_string(order.signal),
                "signals have the numbers 1 to 64");
  }
  const registry::PluginScheduler& target = parts_->scheduler_of(handle);
  order.app_id = handle.app_id;
  try {
    return target.signal(order);
  } catch (const Error& error) {
    if (error.code() == Code::kNotFound && !target.exists(handle.app_id)) throw UnknownApp(handle);
    throw;
  }
}

void Runner::delete_app(const AppHandle& handle) {
  parts_->scheduler_of(handle).delete_app(handle.app_id);
  forget_run(parts_->plugins, parts_->real_name(handle.scheduler), parts_->record_name(handle));
}

std::optional<RunRecord> Runner::run_record(const AppHandle& handle) {
  return records_of(parts_->plugins, parts_->real_name(handle.scheduler))
      .read(parts_->record_name(handle));
}

std::optional<AppDef> Runner::describe(const AppHandle& handle) {
  auto description = parts_->scheduler_of(handle).describe(handle.app_id, SLIPWAY_WANT_APP_DEF);
  if (!description || !description->app) return std::nullopt;
  remove_run_variables(*description->app);
  return std::move(description->app);
}

std::vector<ListItem> Runner::list(const std::string& scheduler_name, const ListQuery& query) {
  return scheduler(scheduler_name, session()).list(query);
}

std::vector<SchedulerAnswer<std::vector<ListItem>>> Runner::list_of(
    const std::vector<std::string>& schedulers, const ListQuery& query, bool foreground_only) {
  ListQuery each_query = query;
  each_query.one_of_several = true;
  return parts_->ask_each<std::vector<ListItem>>(
      schedulers,
      [&](const registry::PluginScheduler& each) {
        const bool is_asked = !foreground_only || each.foreground_by_default();
        return is_asked ? each.list(each_query) : std::vector<ListItem>();
      },
      registry::items_from);
}

AppLogs Runner::log_lines(const AppHandle& handle, LogQuery query, std::uint64_t from_line) {
  const registry::PluginScheduler& target = parts_->scheduler_of(handle);
  query.app_id = handle.app_id;
  try {
    return AppLogs(target.log_open(query), from_line);
  } catch (const Error& error) {
    if (error.code() == Code::kNotFound && !target.exists(handle.app_id)) throw UnknownApp(handle);
    if (error.code() != Code::kUnimplemented) throw;
    throw Error(Code::kUnimplemented,
                std::string("no ") + to_string(query.stream) + " logs of " + to_string(handle) +
                    " can be read: " + error.message(),
                error.hint(), error.where())
        .with_details(error.details());
  }
}

AppHandle Runner::attach(const AppHandle& handle) {
  const AppHandle mine{parts_->real_name(handle.scheduler), session(), handle.app_id};
  if (handle.session == session()) {
    if (!exists(handle)) throw UnknownApp(handle);
    return mine;
  }
  if (!scheduler(handle.scheduler, handle.session).exists(handle.app_id)) throw UnknownApp(handle);
  parts_->attached[{mine.scheduler, mine.app_id}] = handle.session;
  return mine;
}

void Runner::close() { parts_->schedulers.clear(); }

const registry::PluginScheduler& Runner::scheduler(const std::string& name,
                                                   const std::string& session_name) {
  return parts_->scheduler(name, session_name);
}

}  // namespace slipway
