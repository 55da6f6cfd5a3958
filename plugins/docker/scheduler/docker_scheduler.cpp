#include "plugins/docker/scheduler/docker_scheduler.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "plugins/docker/images/workspace_image.hpp"
#include "plugins/docker/logs/container_logs.hpp"
#include "plugins/docker/request/app_rules.hpp"
#include "plugins/docker/request/plan_builder.hpp"
#include "plugins/docker/scheduler/app_orders.hpp"
#include "plugins/docker/scheduler/docker_request.hpp"
#include "plugins/docker/scheduler/helper_link.hpp"
#include "plugins/docker/scheduler/launch.hpp"
#include "plugins/docker/state/app_containers.hpp"
#include "plugins/docker/state/app_description.hpp"
#include "plugins/docker/state/app_progress.hpp"
#include "plugins/docker/state/engine_events.hpp"
#include "plugins/docker/state/helper_presence.hpp"
#include "sdk/support/directory_maker.hpp"
#include "sdk/support/own_environment.hpp"
#include "slipway/app_text.hpp"
#include "slipway/hosted_devices.hpp"
#include "slipway/ids.hpp"

namespace slipway::docker {

namespace {

/// The scheduler to which apps of TorchX belong: their containers have no kSchedulerLabel.
constexpr const char* kTorchxScheduler = "local_docker";

Error no_such_app(const std::string& app_id) {
  return {Code::kNotFound, "the Docker engine has no containers of app " + app_id};
}

}  // namespace

Engine DockerScheduler::engine() const { return configured_engine(host(), args().config_json); }

/// Returns the containers of the app, sorted. Leaves out those of other sessions. Those that TorchX
/// started have no session, and belong to all.
std::vector<Container> DockerScheduler::containers_of(std::string_view app_id,
                                                      const Call& call) const {
  std::vector<Container> out = list_containers(engine(), app_id, call);
  const auto is_other = [&](const Container& one) {
    const std::string* session = find(one.labels, kSessionLabel);
    return session != nullptr && *session != args().session;
  };
  out.erase(std::remove_if(out.begin(), out.end(), is_other), out.end());
  return out;
}

/// Returns whether this user can use the engine's socket. If not, a list of several schedulers
/// leaves this one out.
bool DockerScheduler::may_have_engine() const {
  try {
    return ::access(engine().socket().c_str(), R_OK | W_OK) == 0;
  } catch (const Error&) {
    return false;
  }
}

std::vector<Container> DockerScheduler::require_containers(std::string_view app_id,
                                                           const Call& call) const {
  std::vector<Container> out = containers_of(app_id, call);
  if (out.empty()) throw no_such_app(std::string(app_id));
  return out;
}

RunOpts DockerScheduler::run_opts(const Call&) { return declared_options(); }

std::optional<std::vector<AppField>> DockerScheduler::app_fields(const Cfg& cfg, const Call&) {
  return acted_on(read_options(cfg));
}

std::unique_ptr<Request> DockerScheduler::submit_dryrun(const AppDef& app, const Cfg& cfg,
                                                        const OnFinding& on_finding,
                                                        const Call& call) {
  PlanPlace place;
  place.app_id = make_unique_id(app.name);
  place.session = args().session;
  place.scheduler = args().name;
  place.environment = own_environment();
  place.device_mounts = [&](const IntDict& devices, StrList& unknown) {
    return device_mounts(host(), devices, call, unknown);
  };
  return std::make_unique<DockerRequest>(
      build_plan(app, read_options(cfg), rules_for(app, cfg), place, on_finding), app);
}

Submission DockerScheduler::schedule(const Request& request, const ScheduleOptions& options,
                                     const Call& call) {
  const auto& docker = static_cast<const DockerRequest&>(request);
  AppPlan plan = docker.plan();
  if (plan.containers.empty()) throw Error(Code::kInvalid, "the app has no replicas");
  const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  for (ContainerPlan& container : plan.containers)
    container.labels.emplace_back(kSubmittedLabel, std::to_string(now.count()));
  AppDef app = docker.app();
  use_image_ids(engine(), app, plan, call);
  std::optional<HelperLink> helper;
  if (options.foreground || plan.is_supervised) {
    helper.emplace(engine(), files_of(plan.app_id, call).root(), plan.app_id,
                   options.foreground ? options.owner_fd : -1, call);
    write_submitter_files(plan, options, call);
  }
  try {
    launch(engine(), plan, app_to_text(host(), app, call), host(), call);
  } catch (...) {
    owned_.erase(plan.app_id);
    throw;
  }
  if (helper) helper->report_launch();
  return {plan.app_id};
}

SubmitterFiles DockerScheduler::files_of(const std::string& app_id, const Call& call) const {
  return {host().state_dir(call) + "/" + kSubmitterDirectory, app_id};
}

/// Writes the files that helpers of the app need later. If the submission fails, the helper that
/// runs now removes them.
void DockerScheduler::write_submitter_files(const AppPlan& plan, const ScheduleOptions& options,
                                            const Call& call) {
  if (!options.foreground && plan.on_end.empty()) return;
  DirectoryMaker("state directory", kStateHint)
      .open_own_levels(host().state_dir(call), kSubmitterDirectory);
  SubmitterFiles files = files_of(plan.app_id, call);
  if (options.foreground) {
    OwnedFd owner(::fcntl(options.owner_fd, F_DUPFD_CLOEXEC, 0));
    if (!owner)
      throw Error(Code::kUnavailable,
                  std::string("cannot keep the connection to the owner: ") + std::strerror(errno));
    owned_[plan.app_id] = {files.own(), std::move(owner)};
  }
  if (plan.on_end.empty()) return;
  std::error_code error;
  EndCommand command{plan.on_end, std::filesystem::current_path(error).string(), own_environment()};
  if (error) command.cwd = "/";
  files.keep_end_command(command);
}

/// Throws Error kTemporary instead of kUnavailable if the engine has answered this object before:
/// then it is an outage, and a host that waits for an app asks again.
std::optional<Description> DockerScheduler::describe(std::string_view app_id, std::uint32_t want,
                                                     const Call& call) {
  try {
    std::optional<Description> out = look_up(app_id, want, call);
    has_described_ = has_described_ || out;
    return out;
  } catch (const Error& error) {
    if (error.code() != Code::kUnavailable || !has_described_) throw;
    throw Error(Code::kTemporary, error.message(), error.hint());
  }
}

std::optional<Description> DockerScheduler::look_up(std::string_view app_id, std::uint32_t want,
                                                    const Call& call) {
  std::vector<Container> containers = containers_of(app_id, call);
  if (containers.empty()) return std::nullopt;
  const bool with_replicas = (want & SLIPWAY_WANT_REPLICAS) != 0;
  const bool is_supervised = rules_of(containers).has_value();
  const auto has_ended = [&] { return is_terminal(app_state(containers)); };
  // After each event the host wants only the state of the app. For this, the live containers of an
  // app without a supervisor are enough. All containers are needed for replicas, for the times of
  // an app that has ended, and for the rules of a supervisor, which depend on how attempts ended.
  if (!with_replicas && !is_supervised && !has_ended())
    inspect(engine(), containers, call, [](const Container& one) { return one.is_live(); });
  if (containers.empty()) return std::nullopt;
  if (with_replicas || is_supervised || has_ended())
    inspect(engine(), containers, call, [](const Container& one) { return !one.is_inspected; });
  if (containers.empty()) return std::nullopt;
  std::optional<ReadyContainers> ready;
  if (with_replicas && has_probes(containers))
    ready = ask_ready_containers(containers.front().app_id(), call);
  Description out = description_of(containers, with_replicas, ready);
  supervise(containers, is_terminal(out.state), call);
  const std::string text = app_text_of(containers);
  if ((want & SLIPWAY_WANT_APP_DEF) != 0 && !text.empty())
    out.app = app_from_text(host(), text, call);
  return out;
}

/// Starts a successor of the app's helper if the helper has died and is still needed: while the app
/// runs, for its rules or its owner; after its end, if the command of `on_end` has not run. While
/// the owner lives, only the owner starts the successor, because only it can pass its own
/// descriptor.
void DockerScheduler::supervise(const std::vector<Container>& containers, bool is_over,
                                const Call& call) {
  using Owner = SubmitterFiles::Owner;
  const std::string app_id = containers.front().app_id();
  if (is_over) owned_.erase(app_id);
  try {
    const SubmitterFiles files = files_of(app_id, call);
    const Owner owner = files.owner();
    const bool is_needed = is_over ? files.has_end_command()
                                   : owner != Owner::kNone || rules_of(containers).has_value();
    const auto own = owned_.find(app_id);
    if (!is_needed || (owner == Owner::kAlive && own == owned_.end()) || has_helper(app_id)) return;
    // owned_ may have an entry for an app that this process has given up, so the files decide.
    start_successor(engine(), files.root(), app_id,
                    owner == Owner::kAlive ? own->second.fd.get() : -1);
  } catch (const Error& error) {
    host().log(LogLevel::kWarning, "docker: app " + app_id + " has no supervisor, and none can " +
                                       "be started: " + error.message());
  }
}

void DockerScheduler::cancel(std::string_view app_id, const CancelOptions& options,
                             const Call& call) {
  std::vector<Container> containers = containers_of(app_id, call);
  inspect_for_state(engine(), containers, call);
  cancel_containers(engine(), containers, options, call);
  // An app whose helper has died needs one at its end, such as for the command of `on_end`.
  constexpr bool kIsOver = false;  // the containers are only now asked to end
  if (!containers.empty()) supervise(containers, kIsOver, call);
}

std::vector<SignalResult> DockerScheduler::signal(const SignalOrder& order, const Call& call) {
  std::vector<Container> containers = require_containers(order.app_id, call);
  inspect_for_state(engine(), containers, call);
  if (containers.empty()) throw no_such_app(order.app_id);
  return signal_containers(engine(), containers, order, call);
}

void DockerScheduler::delete_app(std::string_view app_id, const Call& call) {
  std::vector<Container> containers = containers_of(app_id, call);
  if (containers.empty()) return;
  inspect_for_state(engine(), containers, call);
  if (!containers.empty() && !is_terminal(app_state(containers)))
    throw Error(Code::kPrecondition, "app " + std::string(app_id) + " is not finished");
  constexpr bool kForce = false;
  remove_app(engine(), std::string(app_id), kForce, call);
  files_of(std::string(app_id), call).remove();
}

std::vector<ListItem> DockerScheduler::list(const ListQuery& query, const Call& call) {
  if (query.one_of_several && !may_have_engine()) {
    throw Error(Code::kPrecondition, "this machine has no Docker engine that this user may use",
                "`slipway list -s " + args().name + "` says why");
  }
  std::vector<Container> containers = containers_in(engine().ask(list_request({}), call));
  const auto is_other = [&](const Container& one) {
    const std::string* scheduler = find(one.labels, kSchedulerLabel);
    return (scheduler != nullptr ? *scheduler : kTorchxScheduler) != args().name;
  };
  containers.erase(std::remove_if(containers.begin(), containers.end(), is_other),
                   containers.end());
  return list_items(containers, [&](const std::vector<Container>& app, AppState state) {
    supervise(app, is_terminal(state), call);
  });
}

std::unique_ptr<Events> DockerScheduler::events_open(std::string_view app_id, EventScope,
                                                     const Call& call) {
  const std::string id(app_id);
  // The helper of an app without rules is replaced only by the app's owner; see supervise().
  const bool has_helper = rules_of(require_containers(app_id, call)) || owns(id);
  return std::make_unique<EngineEvents>(
      engine(), id, has_helper ? EngineEvents::Of::kAppAndHelper : EngineEvents::Of::kApp, call);
}

std::unique_ptr<LogIterator> DockerScheduler::log_open(const LogQuery& query, const Call& call) {
  std::vector<Container> containers = require_containers(query.app_id, call);
  check_roles(query.app_id, containers, query.targets);
  // The logs of several attempts are divided by the times of their starts.
  const bool has_attempts = rules_of(containers).has_value();
  inspect(engine(), containers, call, [&](const Container&) { return has_attempts; });
  if (containers.empty()) throw no_such_app(query.app_id);
  if (query.follow) supervise(containers, is_terminal(app_state(containers)), call);
  return std::make_unique<ContainerLogs>(engine(), query, containers, host());
}

}  // namespace slipway::docker
