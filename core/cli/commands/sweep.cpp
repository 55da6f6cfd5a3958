#include "core/cli/commands/sweep.hpp"

#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/apps/awaited_apps.hpp"
#include "core/cli/apps/command_app.hpp"
#include "core/cli/apps/foreground.hpp"
#include "core/cli/apps/owner_link.hpp"
#include "core/cli/apps/sweep_labels.hpp"
#include "core/cli/commands/prepared_run.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/cli/terminal/time_limit.hpp"
#include "core/spec/problem.hpp"
#include "core/status/outcome.hpp"
#include "sdk/support/joined.hpp"
#include "slipway/ids.hpp"

namespace slipway::cli {
namespace {

namespace json = boost::json;

/// The variable with the id of the sweep, in the environment of the app that runs this command for
/// a sweep in the background.
constexpr const char* kSweepVariable = "SLIPWAY_SWEEP";

/// An app of the sweep.
struct Member {
  StrDict params;
  std::optional<LoadedApp> loaded;  ///< until the app is started
  std::optional<AppHandle> handle;  ///< set when the app is started
  std::optional<AppState> state;    ///< set when the app has ended
  std::optional<int> exit;          ///< its exit status, set when it has ended or is lost
  bool is_lost = false;             ///< the scheduler no longer knows how it ends
};

std::string params_text(const StrDict& params) {
  return joined(params, " ", [](const auto& param) { return param.first + "=" + param.second; });
}

std::string app_text(const StrDict& params) { return "the app with " + params_text(params) + ":"; }

/// Returns the error with the parameters of its app in front of its message. Loses the problems of
/// a spec::InvalidApp.
Error with_params(const StrDict& params, const Error& error) {
  return Error(error.code(), app_text(params) + " " + error.message(), error.hint(), error.where())
      .with_details(error.details());
}

/// Loads the apps of all combinations. Prints a warning only once if several apps cause it. Returns
/// nothing if the words ask for the component's help.
std::optional<std::vector<Member>> load_members(Invocation& invocation, const RunCommand& command) {
  const SameMessagesOnce once;
  std::optional<std::vector<StrDict>> grid = load_grid(invocation, command);
  if (!grid) return std::nullopt;
  std::vector<Member> out;
  for (StrDict& params : *grid) {
    ComponentArguments arguments = command.component;
    arguments.params.clear();
    for (const auto& [name, value] : params) arguments.params.push_back(name + "=" + value);
    try {
      std::optional<LoadedApp> loaded = load_run(invocation, command, std::move(arguments));
      out.push_back({std::move(params), std::move(loaded), {}, {}, {}, false});
    } catch (const spec::InvalidApp&) {
      say(LogLevel::kError, app_text(params));
      throw;
    } catch (const Error& error) {
      throw with_params(params, error);
    }
  }
  return out;
}

std::string counted_apps(std::size_t count) {
  return fmt::format("{} app{}", count, count == 1 ? "" : "s");
}

json::object params_json(const StrDict& params) {
  json::object out;
  for (const auto& [name, value] : params) out[name] = value;
  return out;
}

int show_grid(const Invocation& invocation, const std::vector<Member>& members) {
  json::array apps;
  for (const Member& member : members) {
    if (!invocation.json()) write_output(params_text(member.params) + "\n");
    apps.push_back(json::object{{"params", params_json(member.params)}});
  }
  if (invocation.json()) write_json(json::object{{"apps", std::move(apps)}});
  say(LogLevel::kInfo, counted_apps(members.size()));
  return kExitOk;
}

/// Starts the apps of a sweep, waits for them and reports their ends.
class Sweep {
 public:
  /// `id` is the id of the sweep. With `is_background`, this process is that of a sweep in the
  /// background.
  Sweep(Invocation& invocation, const RunCommand& command, std::string id, bool is_background,
        std::vector<Member> members)
      : invocation_(invocation),
        command_(command),
        id_(std::move(id)),
        is_background_(is_background),
        members_(std::move(members)),
        running_(invocation) {}

  /// Returns the exit status of the command.
  int run() {
    lift_time_limit();
    interrupts_.end_when_stuck();
    if (is_background_) find_started_apps();
    const bool is_local = runs_here();
    if (is_local && !is_background_) owner_.emplace();
    const bool waits = is_local || is_background_ || command_.wait || command_.max_parallel;
    start_next_apps();
    while (waits && !running_.apps().empty()) {
      interrupts_.handled();
      if (running_.wait(WaitFor::kOne, std::nullopt, interrupts_.fd()) == WaitEnd::kInterrupted)
        take_signal();
      for (AwaitedApp& app : running_.take_done()) {
        if (app.failure) {
          report_lost(index_of_.at(to_string(app.status.handle)), *app.failure);
        } else {
          report(std::move(app.status));
        }
      }
      start_next_apps();
    }
    finish(waits);
    if (failure_) return failure_->exit;
    return cancels_ > 0 ? kExitInterrupted : exit_;
  }

 private:
  /// Returns whether the apps run on this machine, where they end with the command by default.
  bool runs_here() const {
    Runner& runner = invocation_.runner();
    return runner.scheduler(command_.scheduler, runner.session()).foreground_by_default();
  }

  /// Finds the apps that an earlier process of this sweep started before it was killed. Throws the
  /// scheduler's error if it cannot list its apps: the sweep must not start all of them again.
  void find_started_apps() {
    std::set<std::string> names;
    for (const Member& member : members_) names.insert(member.loaded->app.name);
    try {
      for (const auto& [index, handle] :
           apps_of_sweep(invocation_, id_, command_.scheduler, names)) {
        if (index < members_.size()) add_started(index, handle);
      }
    } catch (const Error& error) {
      throw Error(error.code(),
                  "cannot find the apps that this sweep has started: " + error.message(),
                  "they continue: `slipway list " + id_ +
                      "` shows them later, and another sweep can start the others")
          .with_details(error.details());
    }
  }

  void add_started(std::size_t index, const AppHandle& handle) {
    members_[index].handle = handle;
    members_[index].loaded.reset();
    index_of_[to_string(handle)] = index;
    try {
      running_.add(handle);
    } catch (const Error& error) {
      report_lost(index, error);
    }
  }

  /// Starts apps in the order of the grid until --max-parallel apps run.
  void start_next_apps() {
    while (cancels_ == 0 && !failure_ && next_ < members_.size() &&
           (!command_.max_parallel || running_.apps().size() < *command_.max_parallel)) {
      if (!members_[next_].handle) start(next_);
      ++next_;
    }
  }

  void start(std::size_t index) {
    Member& member = members_[index];
    RunCommand command = command_;
    command.component = {};
    command.labels.push_back(std::string(kSweepLabel) + "=" + id_);
    command.labels.push_back(std::string(kSweepIndexLabel) + "=" + std::to_string(index));
    for (const auto& [name, value] : member.params) command.labels.push_back(name + "=" + value);
    for (const std::string& field : member.loaded->defaulted_fields)
      command.accept_ignored += "," + field;
    ScheduleOptions options;
    if (owner_) {
      options.foreground = true;
      options.owner_fd = owner_->schedulers.get();
    }
    try {
      const PreparedRun prepared =
          prepare_run(invocation_, std::move(member.loaded->app), member.loaded->origin, command);
      const std::optional<AppHandle> handle = submit(prepared.dryrun, options);
      if (!handle) return;
      if (!invocation_.json()) write_output(to_string(*handle) + "\n");
      say(LogLevel::kInfo, "started " + params_text(member.params) + ": " + handle->app_id);
      add_started(index, *handle);
    } catch (const Error& error) {
      report_failed_start(member.params, error);
    }
  }

  /// Prints and keeps the error of an app that could not be started. Takes a reference: a copy
  /// would lose the problems of a spec::InvalidApp.
  void report_failed_start(const StrDict& params, const Error& error) {
    failure_ = {error_json(error).at("error").as_object(), exit_status(error.code())};
    failure_->document["message"] = app_text(params) + " " + error.message();
    if (dynamic_cast<const spec::InvalidApp*>(&error) != nullptr) {
      say(LogLevel::kError, app_text(params));
      say(error);
    } else {
      say(with_params(params, error));
    }
    if (!running_.apps().empty()) say(LogLevel::kWarning, "no more apps are started");
  }

  /// Submits an app. Submits it again after a signal that does not end the sweep (SIGQUIT). Returns
  /// nullopt after a signal that ends the sweep. If the scheduler cancelled the submission without
  /// a signal, throws its error.
  std::optional<AppHandle> submit(const AppDryRun& dryrun, const ScheduleOptions& options) {
    while (true) {
      try {
        return invocation_.runner().schedule(dryrun, options, interrupts_.fd());
      } catch (const Error& error) {
        if (error.code() != Code::kCancelled || !take_signal()) throw;
      }
      if (cancels_ > 0) return std::nullopt;
      interrupts_.handled();
    }
  }

  /// Cancels all apps at the first signal, and kills them at the next one; SIGQUIT only prints a
  /// warning. Returns false if no signal has come.
  bool take_signal() {
    const int signal = interrupts_.take();
    if (signal == 0) return false;
    if (signal == SIGQUIT) {
      say(LogLevel::kWarning,
          "this command cannot detach from its sweep; run -d starts a sweep in the background");
      return true;
    }
    // A terminal that closes sends SIGHUP up to two times: by the shell and by the kernel.
    if (signal == SIGHUP && cancels_ > 0) return true;
    CancelOptions options;
    options.now = ++cancels_ > 1;
    say(LogLevel::kWarning, fmt::format("{} {}{}", options.now ? "killing" : "cancelling",
                                        counted_apps(running_.apps().size()),
                                        options.now ? "" : "; ^C again kills them"));
    for (const AwaitedApp& app : running_.apps()) {
      try {
        if (!app.reached) invocation_.runner().cancel(app.status.handle, options);
      } catch (const Error& error) {
        say(error);
      }
    }
    return true;
  }

  /// Prints how an app has ended, and keeps its exit status.
  void report(AppStatus status) {
    Member& member = members_[index_of_.at(to_string(status.handle))];
    const AppState state = status.description.state;
    const bool failed = state != AppState::kSucceeded && state != AppState::kCancelled;
    // Only the replicas show how the app failed.
    if (failed) {
      try {
        status = status_to_report(invocation_, std::move(status));
      } catch (const Error& error) {
        return report_lost(index_of_.at(to_string(status.handle)), error);
      }
    }
    const Description& app = status.description;
    member.exit = exit_status(app);
    if (exit_ == kExitOk) exit_ = *member.exit;
    say(failed ? LogLevel::kWarning : LogLevel::kInfo,
        fmt::format("{} {}: {}{}", params_text(member.params), to_string(state),
                    status.handle.app_id, failed ? ": " + failure_text(app) : ""));
    member.state = state;
  }

  /// Prints that the end of an app cannot be known, for example because its record was deleted. The
  /// other apps of the sweep continue.
  void report_lost(std::size_t index, const Error& error) {
    Member& member = members_[index];
    member.is_lost = true;
    member.exit = exit_status(error.code());
    if (exit_ == kExitOk) exit_ = *member.exit;
    say(LogLevel::kWarning, with_params(member.params, error).message());
  }

  /// Prints the number of apps in each state and, with --json, the document. Without
  /// `waited`, the apps still run.
  void finish(bool waited) {
    std::map<std::string, std::size_t> counts;
    json::array apps;
    for (const Member& member : members_) {
      const char* const without_end = member.is_lost  ? "lost"
                                      : member.handle ? "SUBMITTED"
                                                      : "not started";
      const std::string state = member.state ? std::string(to_string(*member.state)) : without_end;
      ++counts[state];
      json::object app;
      if (member.handle) app = handle_json(*member.handle);
      if (!member.handle) app["handle"] = nullptr;
      app["params"] = params_json(member.params);
      app["state"] = member.state ? json::value(state) : json::value();
      app["exit_status"] = member.exit ? json::value(*member.exit) : json::value();
      apps.push_back(std::move(app));
    }
    if (invocation_.json()) {
      json::object document{{"sweep", id_}, {"apps", std::move(apps)}};
      if (failure_) document["error"] = failure_->document;
      write_json(document);
    }
    const std::string states = joined(counts, ", ", [](const auto& count) {
      return std::to_string(count.second) + " " + count.first;
    });
    say(LogLevel::kInfo,
        fmt::format("{}: {}; slipway list --table {}", counted_apps(members_.size()), states, id_));
    if (!waited)
      say(LogLevel::kInfo,
          fmt::format("wait for them: slipway wait --label {}={}", kSweepLabel, id_));
  }

  /// The error of an app that could not be started.
  struct Failure {
    json::object document;  // as in the error document of a command
    int exit;               // the exit status of the command
  };

  Invocation& invocation_;
  const RunCommand& command_;
  std::string id_;
  bool is_background_;
  std::vector<Member> members_;
  std::map<std::string, std::size_t> index_of_;  // by handle
  SameMessagesOnce once_;                        // many apps have the same warnings
  Interrupts interrupts_;
  std::optional<OwnerLink> owner_;
  AwaitedApps running_;
  std::size_t next_ = 0;  // index of the member to start next
  int cancels_ = 0;       // number of signals that cancelled the apps
  int exit_ = kExitOk;    // the exit status of the first app that did not succeed
  std::optional<Failure> failure_;
};

/// Starts the app that runs this command again, for a sweep in the background. If its process is
/// killed, a retry starts another process, which finds the apps that the first one has started.
int start_in_background(Invocation& invocation) {
  std::error_code error;
  StrList words{std::filesystem::read_symlink("/proc/self/exe", error).string()};
  if (error)
    throw Error(Code::kUnavailable, "cannot find the program of this command: " + error.message());
  words.insert(words.end(), invocation.words().begin(), invocation.words().end());
  AppDef app = command_app(words, 1);
  app.name = kSweepLabel;
  Role& role = app.roles.front();
  role.name = kSweepLabel;
  set(role.env, kSweepVariable, std::string("${app_id}"));
  // Each retry follows a kill of the command. After ten kills, the sweep is probably meant to end.
  role.max_retries = 10;
  // The other policies kill all processes that an attempt has left, and so the apps of the sweep.
  role.retry_policy = RetryPolicy::kReplica;
  // Long enough for the sweep to cancel its apps, which have their own grace times.
  role.metadata_json = R"({"slipway.retry_on": ["lost", "SIGKILL"], "slipway.grace_s": 86400})";
  RunCommand command;
  command.scheduler = "local_cwd";
  command.detach = true;
  command.is_own_app = true;
  return run_app(invocation, std::move(app), {}, command);
}

}  // namespace

int run_sweep(Invocation& invocation, const RunCommand& command) {
  if (command.events) {
    throw Error(Code::kUsage, "--sweep prints no events of its apps",
                "`slipway events -f HANDLE` prints those of one");
  }
  const char* const sweep_of_process = std::getenv(kSweepVariable);
  const bool is_background = sweep_of_process != nullptr;
  std::string id = is_background ? sweep_of_process : make_unique_id(kSweepLabel);
  // The apps of the sweep must not inherit the variable, because they may start sweeps themselves.
  ::unsetenv(kSweepVariable);
  std::optional<std::vector<Member>> members = load_members(invocation, command);
  if (!members) return kExitOk;
  if (command.dryrun) return show_grid(invocation, *members);
  if (command.detach && !is_background) return start_in_background(invocation);
  if (command.log)
    say(LogLevel::kWarning,
        fmt::format("a sweep shows no logs: slipway log -f --label {}={}", kSweepLabel, id));
  return Sweep(invocation, command, std::move(id), is_background, std::move(*members)).run();
}

}  // namespace slipway::cli
