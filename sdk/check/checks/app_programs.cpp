// Checks of what the programs of an app get, and of what the scheduler reports about their end.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <string_view>

#include "sdk/check/checks/app_roles.hpp"
#include "sdk/check/checks/groups.hpp"
#include "sdk/check/checks/scripts.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::check {

namespace {

void app_arguments(const SchedulerUnderTest& scheduler) {
  const AppDef app =
      scripted(scheduler, "printf '%s\\n' \"$@\"",
               {"a b", "", "'\"\\", "$$", "${no_macro}", "${replica_id}", "$app_id"});
  const std::string id = run_to_success(scheduler, app);
  require_output(scheduler, id, app, [&](const Role&, std::int32_t replica) {
    return "a b\n\n'\"\\\n$\n${no_macro}\n" + std::to_string(replica) + "\n" + id + "\n";
  });
}

void app_environment(const SchedulerUnderTest& scheduler) {
  AppDef app = scripted(scheduler,
                        "printf '%s\\n' \"$SLIPWAY_CHECK_TEXT\" \"${SLIPWAY_CHECK_EMPTY-unset}\" "
                        "\"$SLIPWAY_CHECK_MACRO\"");
  for (Role& role : app.roles) {
    role.with_env("SLIPWAY_CHECK_TEXT", "hello,  world=1").with_env("SLIPWAY_CHECK_EMPTY", "");
    role.with_env("SLIPWAY_CHECK_MACRO", "${replica_id} of ${app_id}");
  }
  const std::string id = run_to_success(scheduler, app);
  require_output(scheduler, id, app, [&](const Role&, std::int32_t replica) {
    return "hello,  world=1\n\n" + std::to_string(replica) + " of " + id + "\n";
  });
}

// Gives this process a stdin that does not end before the object's destructor.
class EndlessInput {
 public:
  EndlessInput() : before_(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)) {
    int ends[2];
    if (!before_ || ::pipe2(ends, O_CLOEXEC) != 0) throw Inconclusive("cannot create a pipe");
    write_.reset(ends[1]);
    ::dup2(ends[0], STDIN_FILENO);
    ::close(ends[0]);
    constexpr std::string_view kText = "the input of the host\n";
    (void)!::write(write_.get(), kText.data(), kText.size());
  }
  ~EndlessInput() { ::dup2(before_.get(), STDIN_FILENO); }
  EndlessInput(const EndlessInput&) = delete;
  EndlessInput& operator=(const EndlessInput&) = delete;

 private:
  OwnedFd before_, write_;
};

void app_input(const SchedulerUnderTest& scheduler) {
  const EndlessInput input;
  const AppDef app = scripted(scheduler, "read line && echo \"$line\"; echo end");
  const std::string id = run_to_success(scheduler, app);
  require_output(scheduler, id, app, [](const Role&, std::int32_t) { return "end\n"; });
}

void app_two_roles(const SchedulerUnderTest& scheduler) {
  AppDef app = scripted(scheduler, "echo \"$1\"");
  if (app.roles.size() == 1) {
    app.roles.push_back(app.roles.front());
    app.roles.back().name += "2";
  }
  for (Role& role : app.roles) role.args.push_back("the program of " + role.name);
  const std::string id = run_to_success(scheduler, app);
  verify_roles(scheduler.seen(id, SLIPWAY_WANT_REPLICAS), app);
  require_output(scheduler, id, app, [](const Role& role, std::int32_t) {
    return "the program of " + role.name + "\n";
  });
}

void app_failure(const SchedulerUnderTest& scheduler) {
  constexpr std::int32_t kExitCode = 3;
  const AppDef app = scripted(scheduler, "exit " + std::to_string(kExitCode));
  const std::string id = scheduler.submit(app);
  scheduler.wait_for_end(id, "by itself");
  const SeenApp end = scheduler.seen(id, SLIPWAY_WANT_REPLICAS);
  require(end.state == SLIPWAY_STATE_FAILED,
          "an app whose programs exit with 3 is " + state_name(end.state));
  int failed = 0;
  for (const SeenReplica& replica : end.replicas) {
    require(replica.state != SLIPWAY_STATE_SUCCEEDED, "a replica that exited with 3 SUCCEEDED");
    if (replica.has_exit_code && replica.exit_code == kExitCode) ++failed;
  }
  require(failed > 0, "describe gives no replica the exit code 3");
}

// Runs programs that send themselves SIGKILL. In a container, the program may be process 1, which
// the signal does not end: it then exits with kSurvived.
void app_killed(const SchedulerUnderTest& scheduler) {
  constexpr std::int32_t kSurvived = 3, kExitCodeOfShell = 128 + SIGKILL;
  // In an app, `$$` stands for one `$`.
  const AppDef app = scripted(scheduler, "kill -KILL $$$$; exit " + std::to_string(kSurvived));
  const std::string id = scheduler.submit(app);
  scheduler.wait_for_end(id, "by itself");
  const SeenApp end = scheduler.seen(id, SLIPWAY_WANT_REPLICAS);
  require(end.state == SLIPWAY_STATE_FAILED,
          "an app whose programs were ended by SIGKILL is " + state_name(end.state));
  for (const SeenReplica& replica : end.replicas) {
    if (!replica.has_exit_code) continue;
    if (replica.exit_code == kSurvived)
      throw Inconclusive("a program cannot send itself SIGKILL there");
    require(replica.exit_code != kExitCodeOfShell,
            "a replica that was ended by SIGKILL has the exit code " +
                std::to_string(replica.exit_code));
  }
}

void app_times(const SchedulerUnderTest& scheduler) {
  const std::string id = run_to_success(scheduler, scheduler.app());
  const SeenApp end = scheduler.seen(id);
  require(end.submitted_at_ns != SLIPWAY_TIME_UNSET, "describe gives no time of submission");
  require(end.started_at_ns != SLIPWAY_TIME_UNSET, "describe gives no time of the start");
  require(end.finished_at_ns != SLIPWAY_TIME_UNSET, "describe gives no time of the end");
  require(end.submitted_at_ns <= end.started_at_ns, "the app started before it was submitted");
  require(end.started_at_ns <= end.finished_at_ns, "the app finished before it started");
}

}  // namespace

std::vector<Check> app_program_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_SCHEDULER;
  return {
      {"app.arguments",
       kKind,
       Needs::kApp,
       "replicas get their arguments unchanged, except for macros (abi/scheduler.h)",
       "pass words, not a command line, and replace macros with slipway::substitute_macros",
       with_programs(&app_arguments),
       {"app.logs"}},
      {"app.environment",
       kKind,
       Needs::kApp,
       "replicas get the environment of their role, with macros replaced (abi/scheduler.h)",
       "pass every pair of `env`, also those with an empty value",
       with_programs(&app_environment),
       {"app.logs"}},
      {"app.input",
       kKind,
       Needs::kApp,
       "replicas do not read the input of the host: their stdin is empty (abi/scheduler.h)",
       "open /dev/null as their stdin",
       with_programs(&app_input),
       {"app.logs"}},
      {"app.two_roles",
       kKind,
       Needs::kApp,
       "each role of an app runs its own program, and its replicas are reported under its name",
       "keep the roles apart in requests, replicas and logs",
       with_programs(&app_two_roles),
       {"app.logs"}},
      {"app.failure",
       kKind,
       Needs::kApp,
       "an app whose programs fail is FAILED, and its replicas have their exit codes "
       "(abi/status.h)",
       "set exit_code and has_exit_code from the engine's answer",
       with_programs(&app_failure),
       {"app.runs"}},
      {"app.killed",
       kKind,
       Needs::kApp,
       "a replica that was ended by a signal has no exit code (slipway_replica_status in "
       "abi/status.h)",
       "set `signal`, and leave has_exit_code 0: a shell's code 128 + n means signal n",
       with_programs(&app_killed),
       {"app.failure"}},
      {"app.times",
       kKind,
       Needs::kApp,
       "an app that has run has the times of its submission, start and end (abi/status.h)",
       "keep the times that the engine gives, in nanoseconds since 1970",
       with_programs(&app_times),
       {"app.runs"}},
  };
}

}  // namespace slipway::check
