#include "core/runner/runner.hpp"

#include <poll.h>

#include <cerrno>
#include <utility>

#include "core/runner/app_watch.hpp"
#include "core/runner/run_options.hpp"
#include "core/runner/runner_environment.hpp"
#include "core/spec/problem.hpp"
#include "core/spec/validate.hpp"
#include "slipway/error.hpp"

namespace slipway {

namespace {

using Clock = std::chrono::steady_clock;

/// Milliseconds for poll(), rounded up so that it never spins through the last one; -1 for ever.
int poll_timeout(const std::optional<Clock::time_point>& deadline) {
  if (!deadline) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
  if (left <= 0) return 0;
  constexpr std::int64_t kLongest = 24 * 3600 * 1000;
  return static_cast<int>(left < kLongest ? left : kLongest);
}

/// TorchX's `_validate`: a scheduler that allocates by resources needs one for every role.
void require_resources(const AppDef& app, const std::string& scheduler) {
  std::string missing;
  for (const Role& role : app.roles) {
    if (role.resource.is_null()) missing += (missing.empty() ? "" : ", ") + role.name;
  }
  if (missing.empty()) return;
  throw Error(Code::kInvalid,
              "no resource for role " + missing + ", which the scheduler " + scheduler + " needs",
              "give it one, by name or as { cpu = 1, gpu = 0, memMB = 1024 }");
}

bool reached(AppState state, const std::optional<AppState>& until) {
  return is_terminal(state) || (until && state == *until);
}

}  // namespace

Runner::Runner(RunnerOptions options)
    : options_(std::move(options)), plugins_(options_.search, options_.log) {}

Runner::~Runner() = default;

std::vector<std::string> Runner::scheduler_backends() {
  return plugins_.registry().names(registry::Group::kSchedulers);
}

RunOpts Runner::run_opts(const std::string& scheduler_name) {
  return scheduler(scheduler_name, session()).run_opts();
}

AppDryRun Runner::dryrun(AppDef app, const std::string& scheduler_name, const Dict<Value>& cfg,
                         const std::string& parent_run_id) {
  spec::ProblemList problems;
  spec::validate(app, problems);
  problems.throw_if_errors();
  const registry::AdoptedScheduler& target = scheduler(scheduler_name, session());
  if (target.needs_resources()) require_resources(app, scheduler_name);
  Cfg resolved = resolve_options(target.run_opts(), cfg);
  add_runner_environment(app, scheduler_name, session(), parent_run_id);
  std::vector<Finding> findings;
  registry::AdoptedRequest request = target.submit_dryrun(app, resolved, findings);
  return {std::move(app), scheduler_name, std::move(resolved), std::move(findings),
          std::move(request)};
}

AppHandle Runner::schedule(const AppDryRun& dryrun, const ScheduleOptions& options,
                           const slipway_cancel* cancel) {
  const std::string id =
      scheduler(dryrun.scheduler, session()).schedule(dryrun.request, options, cancel);
  return {dryrun.scheduler, session(), id};
}

AppHandle Runner::run(AppDef app, const std::string& scheduler_name, const Dict<Value>& cfg) {
  return schedule(dryrun(std::move(app), scheduler_name, cfg));
}

std::optional<AppStatus> Runner::status(const AppHandle& handle, bool replicas) {
  auto description =
      scheduler_of(handle).describe(handle.app_id, replicas ? SLIPWAY_WANT_REPLICAS : 0);
  if (!description) return std::nullopt;
  return AppStatus{handle, std::move(*description)};
}

WaitResult Runner::wait(const AppHandle& handle, const WaitOptions& options) {
  const registry::AdoptedScheduler& target = scheduler_of(handle);
  std::optional<Clock::time_point> deadline;
  if (options.timeout) deadline = Clock::now() + *options.timeout;
  std::optional<AppWatch> watch;
  while (true) {
    const auto description = target.describe(handle.app_id, 0);
    if (!description) return WaitResult::kNoSuchApp;
    if (reached(description->state, options.until)) return WaitResult::kDone;
    if (!watch) {
      // subscribe first, then look again: a change in between is not missed
      watch.emplace(target, handle.app_id);
      continue;
    }
    pollfd fds[] = {{watch->fd(), POLLIN, 0}, {options.wake_fd, POLLIN, 0}};
    const int ready = ::poll(fds, 2, poll_timeout(deadline));
    if (ready < 0 && errno != EINTR)
      throw Error(Code::kInternal, "cannot wait for events of an app");
    if (fds[1].revents != 0) return WaitResult::kInterrupted;
    if (fds[0].revents != 0) watch->drain();
    if (deadline && Clock::now() >= *deadline) {
      const auto last = target.describe(handle.app_id, 0);
      if (!last) return WaitResult::kNoSuchApp;
      return reached(last->state, options.until) ? WaitResult::kDone : WaitResult::kTimeout;
    }
  }
}

void Runner::cancel(const AppHandle& handle, const CancelOptions& options) {
  scheduler_of(handle).cancel(handle.app_id, options);
}

void Runner::delete_app(const AppHandle& handle) { scheduler_of(handle).delete_app(handle.app_id); }

std::optional<AppDef> Runner::describe(const AppHandle& handle) {
  auto description = scheduler_of(handle).describe(handle.app_id, SLIPWAY_WANT_APP_DEF);
  if (!description || !description->app) return std::nullopt;
  remove_runner_environment(*description->app);
  return std::move(description->app);
}

std::vector<ListItem> Runner::list(const std::string& scheduler_name) {
  return scheduler(scheduler_name, session()).list();
}

registry::AdoptedLogs Runner::log_lines(const AppHandle& handle, LogQuery query) {
  query.app_id = handle.app_id;
  return scheduler_of(handle).log_open(query);
}

const registry::AdoptedScheduler& Runner::scheduler_of(const AppHandle& handle) {
  return scheduler(handle.scheduler, handle.session);
}

const registry::AdoptedScheduler& Runner::scheduler(const std::string& name,
                                                    const std::string& session_name) {
  const auto key = std::make_pair(name, session_name);
  auto found = schedulers_.find(key);
  if (found == schedulers_.end()) {
    found = schedulers_.emplace(key, plugins_.scheduler(name, session_name)).first;
  }
  return found->second;
}

}  // namespace slipway
