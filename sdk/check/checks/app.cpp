// Checks that submit the app of --app and compare what describe, exists, list and logs give of it.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "sdk/check/checks/app_roles.hpp"
#include "sdk/check/checks/failed_schedule.hpp"
#include "sdk/check/checks/groups.hpp"
#include "sdk/check/host/list_calls.hpp"
#include "sdk/check/host/log_calls.hpp"
#include "sdk/check/host/scheduler_calls.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

// Clocks of other machines differ, and engines count whole seconds. A wrong unit is decades away.
constexpr std::int64_t kClockToleranceNs = 60'000'000'000;

std::int64_t now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::nanoseconds(now).count();
}

// Throws Broken if a time of the app, which was submitted after `begin_ns`, is impossible.
void verify_times(const SeenApp& app, std::int64_t begin_ns) {
  const auto verify = [&](std::int64_t time, const std::string& of_what) {
    const bool is_possible =
        time >= begin_ns - kClockToleranceNs && time <= now_ns() + kClockToleranceNs;
    require(time == SLIPWAY_TIME_UNSET || is_possible,
            "describe gives " + std::to_string(time) + " as the time of " + of_what +
                ", which is not between the call of schedule and now",
            "give every time in nanoseconds since 1970-01-01 UTC");
  };
  verify(app.submitted_at_ns, "the submission");
  verify(app.started_at_ns, "the start");
  verify(app.finished_at_ns, "the end");
  for (const SeenReplica& replica : app.replicas) {
    const std::string name = replica.role + "/" + std::to_string(replica.id);
    verify(replica.started_at_ns, "the start of " + name);
    verify(replica.finished_at_ns, "the end of " + name);
  }
  require(is_terminal_state(app.state) || app.state == SLIPWAY_STATE_UNKNOWN ||
              app.finished_at_ns == SLIPWAY_TIME_UNSET,
          "describe gives a time of the end for an app that is " + state_name(app.state));
  const auto in_order = [](std::int64_t first, std::int64_t second) {
    return first == SLIPWAY_TIME_UNSET || second == SLIPWAY_TIME_UNSET || first <= second;
  };
  require(in_order(app.submitted_at_ns, app.started_at_ns),
          "the app started before it was submitted");
  require(in_order(app.started_at_ns, app.finished_at_ns), "the app finished before it started");
}

// The remedy if the app of --app cannot run or fails.
constexpr const char* kGiveAnotherApp =
    "give an app with --app, and run options with --cfg, that the scheduler can run on this "
    "machine; choose the scheduler with --provider";

// Submits the app of --app, which the scheduler must be able to run here.
std::string submit_given(const SchedulerUnderTest& scheduler, const AppDef& app) {
  auto opts = abi::sized<slipway_schedule_opts>();
  opts.owner_fd = -1;
  const auto first = scheduler.schedule(app, opts);
  if (first.status >= 0) return scheduler.verified_id(first);
  require_reason("schedule", first.status, first.error);
  const bool may_repeat = first.calls == 0 && first.status != SLIPWAY_E_OUTCOME_UNKNOWN;
  const std::string left = may_repeat ? left_by_failed_schedule(scheduler, app, opts) : "";
  throw Broken(
      "schedule failed: " + first.error.message +
          (left.empty() ? "" : "; and every failure leaves " + left),
      left.empty() ? kGiveAnotherApp : "remove what schedule has made before it returns an error");
}

void run_given_app(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  const AppDef app = scheduler.app();
  const std::int64_t begin_ns = now_ns();
  const std::string id = submit_given(scheduler, app);
  const SeenApp first = scheduler.seen(id);
  require(first.state > SLIPWAY_STATE_UNSUBMITTED && first.state <= SLIPWAY_STATE_UNKNOWN,
          "an app that was scheduled is " + state_name(first.state));
  verify_times(first, begin_ns);
  require(first.name.empty() || first.name == app.name,
          "describe gives the name \"" + first.name + "\" of an app that was submitted as \"" +
              app.name + "\"",
          "keep the name of the app");
  const SeenApp end = scheduler.wait_for_end(id, "by itself");
  require(end.state == SLIPWAY_STATE_SUCCEEDED,
          "the app ended as " + state_name(end.state) + (end.msg.empty() ? "" : ": " + end.msg),
          "if the app itself fails, give one that succeeds with --app");
  verify_roles(end, app);
  verify_times(end, begin_ns);
}

// Other checks skip what the scheduler cannot do here. This one fails: the app must succeed.
void app_runs(const Trial& trial) {
  try {
    run_given_app(trial);
  } catch (const Inconclusive& unable) {
    throw Broken(unable.what(), kGiveAnotherApp);
  }
}

// Plays a host whose on_submission fails, for example because its disk is full.
void app_stays(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  auto opts = abi::sized<slipway_schedule_opts>();
  opts.owner_fd = -1;
  const auto stopped = scheduler.schedule(scheduler.app(), opts, kCallbackStop);
  if (stopped.calls == 0) require_ok("schedule", stopped.status, stopped.error);
  require(stopped.calls == 1 && stopped.status == kCallbackStop,
          "schedule called on_submission " + std::to_string(stopped.calls) +
              " times and returned " + std::to_string(stopped.status) +
              " although its callback returned " + std::to_string(kCallbackStop),
          "return what the callback returned");
  const SeenApp end = scheduler.wait_for_end(stopped.app_id, "by itself");
  require(end.state == SLIPWAY_STATE_SUCCEEDED,
          "an app whose on_submission failed ended as " + state_name(end.state),
          "leave the app as it is: the host may know its id");
}

// Submits the app in one process and describes it in another.
void app_other_process(const Trial& trial) {
  const pid_t submitter = ::fork();
  if (submitter < 0) throw Inconclusive("cannot create a process for the submission");
  if (submitter == 0) {
    int status = 1;
    try {
      const SchedulerUnderTest scheduler(trial);
      scheduler.submit(scheduler.app());
      status = 0;
    } catch (...) {
      // The check app.runs reports the reason.
    }
    ::_exit(status);
  }
  int status = 0;
  ::waitpid(submitter, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Inconclusive("the app was not submitted; see app.runs");
  const SchedulerUnderTest scheduler(trial);
  // The submitter recorded the app's id on the progress page, which both processes share.
  scheduler.wait_for_end(trial.progress.unfinished_app(), "as another process sees it");
}

void app_describes(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  const AppDef app = scheduler.app();
  const std::string id = scheduler.submit(app);
  const auto stopped = scheduler.describe(id, SLIPWAY_WANT_REPLICAS, kCallbackStop);
  require(stopped.calls == 1 && stopped.status == kCallbackStop,
          "describe returned " + std::to_string(stopped.status) +
              " although its callback returned " + std::to_string(kCallbackStop),
          "return at once what the callback returned");
  if (scheduler.has(&slipway_scheduler_vtbl::exists)) {
    GuardedMemory memory;
    const slipway_str placed = memory.text(id);
    slipway_error error;
    int32_t is_there = 0;
    scheduler.step("exists");
    const slipway_status status =
        scheduler.table().exists(scheduler.object(), plain_call(), placed, &is_there, &error);
    // SLIPWAY_E_UNIMPLEMENTED means the same as a missing function.
    if (status != SLIPWAY_E_UNIMPLEMENTED) {
      require_ok("exists", status, error);
      require(is_there != 0, "exists gives 0 for an app that describe knows");
    }
  }
  // A later version may define further bits, which are hints in every `want`.
  scheduler.seen(id, SLIPWAY_WANT_REPLICAS | SLIPWAY_WANT_APP_DEF | 0x80000000u);
  const std::size_t separate = scheduler.seen(id, SLIPWAY_WANT_REPLICAS).replicas.size();
  const std::size_t merged =
      scheduler.seen(id, SLIPWAY_WANT_REPLICAS | SLIPWAY_WANT_MERGED).replicas.size();
  require(separate == merged,
          "describe reported " + std::to_string(merged) +
              " replicas with SLIPWAY_WANT_MERGED, and " + std::to_string(separate) + " without it",
          "set the count of each merged entry to the number of its replicas");
  scheduler.wait_for_end(id, "by itself");
}

void app_lists(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  const std::string one = scheduler.submit(scheduler.app());
  scheduler.wait_for_end(one, "by itself");
  const std::string other = scheduler.submit(scheduler.app());
  require(one != other, "two apps have one id: " + one, "make ids unique: slipway::make_unique_id");
  scheduler.wait_for_end(other, "by itself");
  auto query = abi::sized<slipway_list_query>();
  query.flags = 0x8000;  // a later version may define it, as a hint
  const ListedApps all = list(scheduler, query);
  require_ok("list", all.status, all.error);
  require(all.apps.count(one) == 1 && all.apps.count(other) == 1,
          "list does not know an app that describe knows");
  const auto place = [&](const std::string& id) {
    return std::find(all.ids.begin(), all.ids.end(), id) - all.ids.begin();
  };
  const std::int64_t before = all.apps.at(one).submitted_at_ns;
  const std::int64_t after = all.apps.at(other).submitted_at_ns;
  const bool has_times = before != SLIPWAY_TIME_UNSET && after != SLIPWAY_TIME_UNSET;
  require(!has_times || before >= after || place(other) < place(one),
          "list shows an app before one that was submitted later", "list the newest app first");
  const ListedApps first = list(scheduler, query, kCallbackStop);
  require(first.calls == 1 && first.status == kCallbackStop,
          "list called back " + std::to_string(first.calls) + " times and returned " +
              std::to_string(first.status) + " although the first callback returned " +
              std::to_string(kCallbackStop),
          "return at once what the callback returned");
}

void app_logs(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  if (!scheduler.has(&slipway_scheduler_vtbl::log_open)) throw Inconclusive("it keeps no logs");
  const AppDef app = scheduler.app();
  const std::string id = scheduler.submit(app);
  scheduler.wait_for_end(id, "by itself");
  const OpenLogs::Bytes all = read_logs(scheduler, id);
  require(read_logs(scheduler, id, {.follow = true}) == all,
          "following the logs of an app that has ended gives different bytes than reading them");
  for (const auto& [replica, bytes] : all) {
    bool is_there = replica.first.empty() && replica.second == -1;  // the app's own output
    for (const Role& role : app.roles)
      is_there = is_there || (role.name == replica.first && replica.second >= 0 &&
                              replica.second < role.num_replicas);
    require(is_there, "there are logs of " + replica.first + "/" + std::to_string(replica.second) +
                          ", which the app does not have");
  }
  for (const Role& role : app.roles) {
    const OpenLogs::Bytes one = read_logs(scheduler, id, {.role = role.name});
    for (const auto& [replica, bytes] : one) {
      require(replica.first == role.name, "a query for the logs of role \"" + role.name +
                                              "\" gave some of \"" + replica.first + "\"");
      const auto known = all.find(replica);
      require(known != all.end() && known->second == bytes,
              "the logs of role \"" + role.name + "\" differ when only they are requested");
    }
  }
}

}  // namespace

std::vector<Check> app_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_SCHEDULER;
  return {
      {"app.runs",
       kKind,
       Needs::kApp,
       "a submitted app goes through known states to its end, and its descriptions have all its "
       "roles and replicas, and values that are possible (abi/status.h)",
       "compare the results of describe with the submitted app",
       &app_runs,
       {"scheduler.dryrun"}},
      {"app.stays",
       kKind,
       Needs::kApp,
       "if on_submission fails, the app exists, and schedule returns the status of on_submission "
       "(abi/scheduler.h)",
       "call on_submission last, and return its status",
       &app_stays,
       {"app.runs"}},
      {"app.other_process",
       kKind,
       Needs::kApp,
       "nothing about an app is kept only in memory: other processes ask about it "
       "(abi/scheduler.h)",
       "keep it in the engine, or in files below host().state_dir()",
       &app_other_process,
       {"app.runs"}},
      {"app.describe",
       kKind,
       Needs::kApp,
       "describe calls back once and returns the callback's answer (abi/scheduler.h)",
       "call back once, for every value of `want`",
       &app_describes,
       {"app.runs"}},
      {"app.list",
       kKind,
       Needs::kApp,
       "list knows every app, newest first, and stops when the callback says so (abi/scheduler.h)",
       "list the apps that describe knows",
       &app_lists,
       {"app.runs"}},
      {"app.logs",
       kKind,
       Needs::kApp,
       "the logs of an app that has ended are complete, the same each time, and name their replica "
       "(abi/logs.h)",
       "set role and replica of every chunk, and keep to the targets",
       &app_logs,
       {"app.runs"}},
  };
}

}  // namespace slipway::check
