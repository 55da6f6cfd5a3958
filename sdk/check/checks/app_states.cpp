// Checks of the states of an app and of its replicas: which follow each other, and which are final.
#include <string>

#include "sdk/check/checks/app_roles.hpp"
#include "sdk/check/checks/groups.hpp"
#include "sdk/check/checks/scripts.hpp"
#include "sdk/check/host/scheduler_calls.hpp"

namespace slipway::check {

namespace {

// Runs an app without retries, whose state must never go back. UNKNOWN says nothing about progress.
void app_goes_forward(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  AppDef app = scheduler.app();
  for (Role& role : app.roles) role.max_retries = 0;
  const std::string id = scheduler.submit(app);
  std::int32_t furthest = SLIPWAY_STATE_UNSUBMITTED;
  const auto end = scheduler.wait(id, [&](const SeenApp& seen) {
    if (seen.state == SLIPWAY_STATE_UNKNOWN) return false;
    require(seen.state >= furthest, "an app without retries was " + state_name(furthest) +
                                        " and is now " + state_name(seen.state));
    furthest = seen.state;
    return is_terminal_state(seen.state);
  });
  require(end.has_value(), "the app did not end by itself");
  trial.progress.set_unfinished_app({});  // as wait_for_end() does
}

void app_running(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  const std::string id = scheduler.submit(scheduler.sleeper());
  // Each description is verified: a replica that runs has neither an end nor an exit code.
  const auto runs = scheduler.wait(id, [](const SeenApp& seen) {
    for (const SeenReplica& replica : seen.replicas)
      if (replica.state == SLIPWAY_STATE_RUNNING) return true;
    return is_terminal_state(seen.state);
  });
  if (!runs || is_terminal_state(runs->state)) {
    scheduler.end(id);
    throw Inconclusive("its apps do not start to run here");
  }
  require(runs->finished_at_ns == SLIPWAY_TIME_UNSET,
          "describe gives a time of the end for an app that is " + state_name(runs->state));
  scheduler.end(id);
}

void app_end_is_final(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  const AppDef app = scheduler.app();
  const std::string id = run_to_success(scheduler, app);
  for (const bool now : {false, true}) {
    const Answer answer = scheduler.cancel(id, now);
    require(answer.status >= 0, "cancel of an app that has ended failed: " + answer.error.message);
    const SeenApp seen = scheduler.seen(id, SLIPWAY_WANT_REPLICAS);
    require(seen.state == SLIPWAY_STATE_SUCCEEDED,
            "an app that had SUCCEEDED is " + state_name(seen.state) + " after cancel");
    verify_roles(seen, app);
  }
}

}  // namespace

std::vector<Check> app_state_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_SCHEDULER;
  return {
      {"app.forward",
       kKind,
       Needs::kApp,
       "the state of an app moves only forward, unless the app is retried (abi/app.h)",
       "report the furthest state that the engine has reported",
       &app_goes_forward,
       {"app.runs"}},
      {"app.running",
       kKind,
       Needs::kApp,
       "a replica that runs has no time of its end and no exit code, nor has its app "
       "(abi/status.h)",
       "leave finished_at_ns and has_exit_code 0 until the end",
       &app_running,
       {"app.cancel"}},
      {"app.final",
       kKind,
       Needs::kApp,
       "cancel of an app that has ended changes nothing: terminal states are final (abi/app.h)",
       "look at the state first, and record no cancellation of an app that has ended",
       &app_end_is_final,
       {"app.cancel"}},
  };
}

}  // namespace slipway::check
