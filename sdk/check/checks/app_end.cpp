// Checks of the end of apps: cancellation, deletion, and what remains afterwards.
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/checks/marked_processes.hpp"
#include "sdk/check/checks/scripts.hpp"
#include "sdk/check/checks/sleeper.hpp"
#include "sdk/check/host/list_calls.hpp"
#include "sdk/support/file_text.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

void require_cancelled(const SeenApp& end) {
  require(end.state == SLIPWAY_STATE_CANCELLED,
          "an app that was cancelled is " + state_name(end.state));
}

void app_cancels(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  const std::string id = submit_sleeper(scheduler);
  for (const bool now : {false, false, true}) {
    const Answer answer = scheduler.cancel(id, now);
    require(answer.status >= 0,
            "cancel of an app that runs or is being cancelled failed: " + answer.error.message);
  }
  const SeenApp end = scheduler.wait_for_cancelled(id);
  require_cancelled(end);
  const Answer late = scheduler.cancel(id, /*now=*/true);
  require(late.status >= 0, "cancel of an app that has ended failed: " + late.error.message);
  require(scheduler.seen(id).state == SLIPWAY_STATE_CANCELLED,
          "cancelling twice changed the state");
}

// Cancels apps at once, when their replicas may not have started. Repeats it, because the timing
// varies.
void app_cancelled_early(const Trial& trial) {
  constexpr int kTimes = 3;
  const SchedulerUnderTest scheduler(trial);
  for (int i = 0; i < kTimes; ++i) {
    const SeenApp end = scheduler.end(scheduler.submit(scheduler.sleeper()));
    if (end.state == SLIPWAY_STATE_SUCCEEDED) throw Inconclusive("its apps end at once");
    require_cancelled(end);
  }
}

// Requires that a list with hints has an unfinished app that they select.
void app_is_active(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  const std::string id = scheduler.submit(scheduler.sleeper());
  auto query = abi::sized<slipway_list_query>();
  query.flags = SLIPWAY_LIST_ACTIVE;
  query.since_ns = 1;  // in 1970, so it selects every app
  const ListedApps active = list(scheduler, query);
  require_ok("list", active.status, active.error);
  if (is_terminal_state(scheduler.seen(id).state)) throw Inconclusive("its apps end at once");
  require(active.apps.count(id) == 1,
          "list with SLIPWAY_LIST_ACTIVE lacks an app that has not ended");
  scheduler.end(id);
}

void app_deletes(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  if (!scheduler.has(&slipway_scheduler_vtbl::delete_app))
    throw Inconclusive("it has no delete_app");
  const std::string id = scheduler.submit(scheduler.sleeper());
  const bool ended_at_once = is_terminal_state(scheduler.seen(id).state);
  Answer answer = scheduler.delete_app(id);
  if (answer.status == SLIPWAY_E_UNIMPLEMENTED) {
    scheduler.end(id);
    throw Inconclusive("it deletes no apps");
  }
  if (!ended_at_once) {
    require(answer.status == SLIPWAY_E_PRECONDITION && !answer.error.message.empty(),
            "delete_app of an app that has not ended gave status " + std::to_string(answer.status),
            "return SLIPWAY_E_PRECONDITION with a message");
    scheduler.end(id);
    answer = scheduler.delete_app(id);
  }
  require(answer.status >= 0,
          "delete_app of an app that has ended failed: " + answer.error.message);
  require(scheduler.describe(id, 0).calls == 0, "describe still knows an app that was deleted");
}

// Follows the logs until every replica has printed `line`.
void wait_for_line(const SchedulerUnderTest& scheduler, const std::string& id, const AppDef& app,
                   const std::string& line) {
  const auto start = std::chrono::steady_clock::now();
  OpenLogs logs(scheduler, id, {.follow = true});
  OpenLogs::Bytes seen;
  const auto is_complete = [&] {
    for (const Role& role : app.roles)
      for (std::int32_t replica = 0; replica < role.num_replicas; ++replica)
        if (seen[{role.name, replica}].find(line) == std::string::npos) return false;
    return true;
  };
  while (!is_complete()) {
    const Answer answer = logs.next(100, seen);
    require_reason("log_next", answer.status, answer.error);
    if (answer.status == SLIPWAY_END || milliseconds_since(start) > patience_ms(scheduler.trial()))
      throw Broken("the logs of an app that runs lack its line \"" + line + "\"");
  }
}

// Returns a grace time that does not end during the check: ten times the check's time limit.
std::int64_t longer_than_the_check_ms(const SchedulerUnderTest& scheduler) {
  return std::int64_t{scheduler.trial().options.limit_s} * 10'000;
}

// Submits an app whose replicas ignore SIGTERM, and returns its id when all of them do.
std::string submit_stubborn(const SchedulerUnderTest& scheduler) {
  if (!scheduler.has(&slipway_scheduler_vtbl::log_open)) throw Inconclusive("it keeps no logs");
  const AppDef app = scripted(scheduler, "trap '' TERM; echo ready; while :; do sleep 600; done");
  const std::string id = scheduler.submit(app);
  wait_for_line(scheduler, id, app, "ready");
  return id;
}

// Cancels replicas that ignore SIGTERM. The first grace time is longer than the check, so only the
// second cancellation can end them.
void app_cancelled_now(const SchedulerUnderTest& scheduler) {
  const std::string id = submit_stubborn(scheduler);
  Answer answer = scheduler.cancel(id, /*now=*/false, longer_than_the_check_ms(scheduler));
  // An engine with a fixed grace time may refuse another one, and then has cancelled nothing yet.
  if (answer.status != SLIPWAY_E_UNIMPLEMENTED) require_ok("cancel", answer.status, answer.error);
  answer = scheduler.cancel(id, /*now=*/true);
  require_ok("cancel", answer.status, answer.error);
  require_cancelled(scheduler.wait_for_end(id, "after a later cancel with `now`"));
}

// Cancels replicas that ignore SIGTERM, once, with a grace time that ends during the check.
void app_killed_after_grace(const SchedulerUnderTest& scheduler) {
  constexpr std::int64_t kShortGraceMs = 500;
  const std::string id = submit_stubborn(scheduler);
  const Answer answer = scheduler.cancel(id, /*now=*/false, kShortGraceMs);
  if (answer.status == SLIPWAY_E_UNIMPLEMENTED) {
    scheduler.end(id);
    throw Inconclusive("its grace time is fixed, and may be longer than the check");
  }
  require_ok("cancel", answer.status, answer.error);
  require_cancelled(scheduler.wait_for_end(
      id,
      "after SIGTERM, which its replicas ignore, and a grace time of " +
          std::to_string(kShortGraceMs) + " ms",
      "send SIGKILL to what is left when the grace time is over; if the engine has a fixed grace "
      "time, return SLIPWAY_E_UNIMPLEMENTED for another one, or give the kit a longer --limit"));
}

// Cancels replicas that end by themselves after SIGTERM. The grace time is longer than the check.
// The replicas have no child that sleeps: it would lose a SIGTERM that it gets between fork and
// exec, and would then keep the replica's group alive.
void app_grace(const SchedulerUnderTest& scheduler) {
  if (!scheduler.has(&slipway_scheduler_vtbl::log_open)) throw Inconclusive("it keeps no logs");
  const AppDef app = scripted(scheduler,
                              "trap 'echo saved its state; exit 0' TERM; echo ready; "
                              "while :; do :; done");
  const std::string id = scheduler.submit(app);
  wait_for_line(scheduler, id, app, "ready");
  Answer answer = scheduler.cancel(id, /*now=*/false, longer_than_the_check_ms(scheduler));
  // An engine may have one grace time for all cancellations.
  if (answer.status == SLIPWAY_E_UNIMPLEMENTED) answer = scheduler.cancel(id, /*now=*/false);
  require_ok("cancel", answer.status, answer.error);
  const SeenApp end =
      scheduler.wait_for_end(id, "although its replicas ended when they were asked");
  require_cancelled(end);
  require_output(scheduler, id, app,
                 [](const Role&, std::int32_t) { return std::string("ready\nsaved its state\n"); });
}

// Returns the first file below `directory` that contains `text`, or an empty name.
std::string file_with(const std::string& text, const std::string& directory) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory, ignored)) {
    if (!entry.is_regular_file(ignored)) continue;
    const std::string content = file_text(entry.path().string()).value_or("");
    if (content.find(text) != std::string::npos) return entry.path().string();
  }
  return {};
}

void app_delete_logs(const SchedulerUnderTest& scheduler) {
  if (!scheduler.has(&slipway_scheduler_vtbl::delete_app))
    throw Inconclusive("it has no delete_app");
  // The app itself does not contain the line: file_with() must find it only in logs.
  const AppDef app = scripted(scheduler, "echo slipway \"$1\" line", {"check's"});
  const std::string id = run_to_success(scheduler, app);
  const Answer answer = scheduler.delete_app(id);
  if (answer.status == SLIPWAY_E_UNIMPLEMENTED) throw Inconclusive("it deletes no apps");
  require_ok("delete_app", answer.status, answer.error);
  require(list(scheduler, abi::sized<slipway_list_query>()).apps.count(id) == 0,
          "list still knows an app that was deleted");
  const std::string left = file_with("slipway check's line", scheduler.trial().directory);
  require(left.empty(), "delete_app left logs of the app: " + left);
}

// Runs replicas that leave a process in their process group when they end. If the replicas run on
// another machine, the check finds no process and passes.
void app_leaves_nothing(const SchedulerUnderTest& scheduler) {
  const std::string mark = scheduler.trial().directory;
  AppDef app = scripted(scheduler, "sleep 600 & exit 0");
  mark_processes(app, mark);
  run_to_success(scheduler, app);
  const auto end = std::chrono::steady_clock::now();
  std::vector<pid_t> left = marked_processes(mark);
  while (!left.empty() && milliseconds_since(end) < patience_ms(scheduler.trial())) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    left = marked_processes(mark);
  }
  for (const pid_t pid : left) ::kill(pid, SIGKILL);
  require(left.empty(), "a process that a replica had started still runs after the end of the app");
}

}  // namespace

std::vector<Check> app_end_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_SCHEDULER;
  return {
      {"app.cancel",
       kKind,
       Needs::kApp,
       "cancel ends an app as CANCELLED, and is idempotent (abi/scheduler.h)",
       "return SLIPWAY_OK for an app that has ended or is being cancelled",
       &app_cancels,
       {"app.runs", "scheduler.cancel_unknown"}},
      {"app.early_cancel",
       kKind,
       Needs::kApp,
       "a cancellation also ends an app whose replicas have not started (abi/scheduler.h, "
       "schedule)",
       "keep the order to cancel where the process that starts the replicas finds it",
       &app_cancelled_early,
       {"app.cancel"}},
      {"app.active",
       kKind,
       Needs::kApp,
       "a list with hints has every app that they select (slipway_list_query in abi/status.h)",
       "leave out only apps whose state is terminal",
       &app_is_active,
       {"app.cancel", "app.list"}},
      {"app.delete",
       kKind,
       Needs::kApp,
       "delete_app deletes an app that has ended, and no other (abi/scheduler.h)",
       "check the app's state first",
       &app_deletes,
       {"app.cancel", "scheduler.delete_unknown"}},
      {"app.grace",
       kKind,
       Needs::kApp,
       "cancel lets replicas end by themselves within the grace time, and the app ends as soon as "
       "they have (abi/scheduler.h, slipway_cancel_opts)",
       "send SIGTERM first, and SIGKILL to what is left when the time is over",
       with_programs(&app_grace),
       {"app.cancel", "app.logs"}},
      {"app.grace_end",
       kKind,
       Needs::kApp,
       "cancel kills the replicas that still run when the grace time is over (abi/scheduler.h, "
       "slipway_cancel_opts)",
       "send SIGKILL to what is left when the grace time is over",
       with_programs(&app_killed_after_grace),
       {"app.cancel", "app.logs"}},
      {"app.nothing_left",
       kKind,
       Needs::kApp,
       "no process remains in a replica's process group after the end of the app "
       "(abi/scheduler.h)",
       "send SIGKILL to the process group of each replica that has ended, or use cgroups",
       with_programs(&app_leaves_nothing),
       {"app.runs"}},
      {"app.cancel_now",
       kKind,
       Needs::kApp,
       "a later cancel with `now` ends replicas that ignore SIGTERM (abi/scheduler.h, cancel)",
       "send SIGKILL at once if `now` is set, even if no process has acted on the earlier "
       "cancellation yet",
       with_programs(&app_cancelled_now),
       {"app.cancel", "app.logs"}},
      {"app.delete_logs",
       kKind,
       Needs::kApp,
       "delete_app deletes the app's logs with its record (abi/scheduler.h)",
       "remove every file of the app",
       with_programs(&app_delete_logs),
       {"app.delete"}},
  };
}

}  // namespace slipway::check
