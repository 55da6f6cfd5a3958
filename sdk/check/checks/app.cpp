// Checks with the app of --app, from submitting to deleting it.
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/host/log_calls.hpp"
#include "sdk/check/host/scheduler_calls.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

void verify_roles(const SeenApp& app, const AppDef& submitted) {
  std::map<std::string, std::set<std::int32_t>> seen;
  for (const SeenReplica& replica : app.replicas) {
    require(seen[replica.role].insert(replica.id).second,
            "describe lists replica " + replica.role + "/" + std::to_string(replica.id) + " twice");
    if (app.state == SLIPWAY_STATE_SUCCEEDED) {
      require(replica.state == SLIPWAY_STATE_SUCCEEDED,
              "the app SUCCEEDED and its replica " + replica.role + "/" +
                  std::to_string(replica.id) + " is " + state_name(replica.state));
      require(
          !replica.has_exit_code || replica.exit_code == 0,
          "a replica of an app that SUCCEEDED has exit code " + std::to_string(replica.exit_code));
    }
  }
  for (const Role& role : submitted.roles) {
    const auto replicas = seen.find(role.name);
    require(replicas != seen.end(), "describe lists no role \"" + role.name + "\"");
    require(static_cast<std::int32_t>(replicas->second.size()) == role.num_replicas &&
                *replicas->second.begin() == 0 &&
                *replicas->second.rbegin() == role.num_replicas - 1,
            "describe does not list replicas 0 to " + std::to_string(role.num_replicas - 1) +
                " of role \"" + role.name + "\"");
  }
}

void verify_times(const SeenApp& app) {
  const auto in_order = [](std::int64_t first, std::int64_t second) {
    return first == SLIPWAY_TIME_UNSET || second == SLIPWAY_TIME_UNSET || first <= second;
  };
  require(in_order(app.submitted_at_ns, app.started_at_ns), "it started before it was submitted");
  require(in_order(app.started_at_ns, app.finished_at_ns), "it finished before it started");
}

void app_runs(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  const AppDef app = scheduler.app();
  const std::string id = scheduler.submit(app);
  const SeenApp first = scheduler.seen(id);
  require(first.state > SLIPWAY_STATE_UNSUBMITTED && first.state <= SLIPWAY_STATE_UNKNOWN,
          "an app that was scheduled is " + state_name(first.state));
  const SeenApp end = scheduler.wait_for_end(id, "by itself");
  require(end.state == SLIPWAY_STATE_SUCCEEDED,
          "the app ended as " + state_name(end.state) + (end.msg.empty() ? "" : ": " + end.msg),
          "if the app itself is to blame, give one that succeeds with --app");
  verify_roles(end, app);
  verify_times(end);
}

// Submits the app in one process and describes it in another.
void app_other_process(const Trial& trial) {
  const pid_t submitter = ::fork();
  if (submitter < 0) throw Inconclusive("no process for the submission");
  if (submitter == 0) {
    int status = 1;
    try {
      SchedulerUnderTest(trial).submit(SchedulerUnderTest(trial).app());
      status = 0;
    } catch (const Inconclusive&) {
      status = 2;
    } catch (...) {
      status = 1;
    }
    ::_exit(status);
  }
  int status = 0;
  ::waitpid(submitter, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Inconclusive("the app was not submitted; see app.runs");
  const SchedulerUnderTest scheduler(trial);
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
    int32_t there = 0;
    scheduler.step("exists");
    require_ok("exists",
               scheduler.table().exists(scheduler.object(), plain_call(), placed, &there, &error),
               error);
    require(there != 0, "exists says no of an app that describe knows");
  }
  // A later version may define further bits.
  scheduler.seen(id, SLIPWAY_WANT_REPLICAS | SLIPWAY_WANT_APP_DEF | 0x80000000u);
  const std::size_t each = scheduler.seen(id, SLIPWAY_WANT_REPLICAS).replicas.size();
  const std::size_t merged =
      scheduler.seen(id, SLIPWAY_WANT_REPLICAS | SLIPWAY_WANT_MERGED).replicas.size();
  require(each == merged,
          "describe reported " + std::to_string(merged) +
              " replicas when it was asked to merge them, and " + std::to_string(each) + " before",
          "let the counts of merged entries add up");
  scheduler.wait_for_end(id, "by itself");
}

struct ListSink {
  Answer answer;
  std::set<std::string> ids;
  int calls = 0;
  slipway_status stop = SLIPWAY_OK;
  static slipway_status take(void* self, const slipway_list_item* given) {
    auto& sink = *static_cast<ListSink*>(self);
    ++sink.calls;
    sink.ids.insert(abi::str(abi::widen(given).app_id));
    return sink.stop;
  }
};

/// Lists apps with the hints of `query`. The first callback returns `stop`.
ListSink list(const SchedulerUnderTest& scheduler, slipway_list_query query,
              slipway_status stop = SLIPWAY_OK) {
  GuardedMemory memory;
  const slipway_list_query* placed = memory.object(query);
  memory.seal();
  ListSink out;
  out.stop = stop;
  scheduler.step("list");
  out.answer.status = scheduler.table().list(scheduler.object(), plain_call(), placed,
                                             &ListSink::take, &out, &out.answer.error);
  memory.vanish();
  return out;
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
  const ListSink all = list(scheduler, query);
  require_ok("list", all.answer.status, all.answer.error);
  require(all.ids.count(one) == 1 && all.ids.count(other) == 1,
          "list does not know an app that describe knows");
  const ListSink first = list(scheduler, query, kCallbackStop);
  require(first.calls == 1 && first.answer.status == kCallbackStop,
          "list called back " + std::to_string(first.calls) + " times and returned " +
              std::to_string(first.answer.status) + " although the first callback returned " +
              std::to_string(kCallbackStop),
          "return at once what the callback returned");
}

// Looks for an app that has not ended in lists with hints that select it.
void app_is_active(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  const std::string id = scheduler.submit(scheduler.sleeper());
  auto query = abi::sized<slipway_list_query>();
  query.flags = SLIPWAY_LIST_ACTIVE;
  query.since_ns = 1;
  const ListSink active = list(scheduler, query);
  require_ok("list", active.answer.status, active.answer.error);
  if (is_terminal_state(scheduler.seen(id).state)) throw Inconclusive("its apps do not stay here");
  require(active.ids.count(id) == 1,
          "list with SLIPWAY_LIST_ACTIVE lacks an app that has not ended");
  require_ok("cancel", scheduler.cancel(id, true).status, {});
  scheduler.wait_for_end(id, "after cancel");
}

void app_logs(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  if (!scheduler.has(&slipway_scheduler_vtbl::log_open)) throw Inconclusive("it keeps no logs");
  const AppDef app = scheduler.app();
  const std::string id = scheduler.submit(app);
  scheduler.wait_for_end(id, "by itself");
  const ReadLogs all = read_logs(scheduler, id, {}, false);
  require(read_logs(scheduler, id, {}, true).bytes == all.bytes,
          "following the logs of an app that has ended gives different bytes than reading them");
  for (const auto& [replica, bytes] : all.bytes) {
    bool is_there = replica.first.empty() && replica.second == -1;  // the app's own output
    for (const Role& role : app.roles)
      is_there = is_there || (role.name == replica.first && replica.second >= 0 &&
                              replica.second < role.num_replicas);
    require(is_there, "there are logs of " + replica.first + "/" + std::to_string(replica.second) +
                          ", which the app does not have");
  }
  for (const Role& role : app.roles) {
    const ReadLogs one = read_logs(scheduler, id, role.name, false);
    for (const auto& [replica, bytes] : one.bytes) {
      require(replica.first == role.name, "asked for the logs of role \"" + role.name +
                                              "\", it gave some of \"" + replica.first + "\"");
      require(bytes == all.bytes.at(replica),
              "the logs of role \"" + role.name + "\" differ when only they are requested");
    }
  }
}

void app_with_newer_host(const Trial& trial) {
  play_newer_host();
  const SchedulerUnderTest scheduler(trial);
  const AppDef app = scheduler.app();
  const std::string id = scheduler.submit(app);
  const SeenApp end = scheduler.wait_for_end(id, "by itself");
  require(end.state == SLIPWAY_STATE_SUCCEEDED, "the app ended as " + state_name(end.state));
  verify_roles(end, app);
  if (scheduler.has(&slipway_scheduler_vtbl::log_open)) read_logs(scheduler, id, {}, false);
  require_ok("cancel", scheduler.cancel(id, false).status, {});
}

void app_deletes(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  if (!scheduler.has(&slipway_scheduler_vtbl::delete_app))
    throw Inconclusive("it has no delete_app");
  const std::string id = scheduler.submit(scheduler.sleeper());
  if (const Answer early = scheduler.delete_app(id); early.status == SLIPWAY_E_UNIMPLEMENTED) {
    scheduler.cancel(id, true);
    scheduler.wait_for_end(id, "after cancel");
    throw Inconclusive("it deletes no apps");
  } else {
    require(early.status == SLIPWAY_E_PRECONDITION && !early.error.message.empty(),
            "delete_app of an app that has not ended gave status " + std::to_string(early.status),
            "return SLIPWAY_E_PRECONDITION with a message");
  }
  require_ok("cancel", scheduler.cancel(id, true).status, {});
  scheduler.wait_for_end(id, "after cancel");
  const Answer answer = scheduler.delete_app(id);
  require(answer.status >= 0,
          "delete_app of an app that has ended failed: " + answer.error.message);
  require(scheduler.describe(id, 0).calls == 0, "describe still knows an app that was deleted");
}

}  // namespace

std::vector<Check> app_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_SCHEDULER;
  return {
      {"app.runs", kKind, Needs::kApp,
       "a submitted app goes through known states to its end, with all its roles and replicas "
       "(abi/status.h)",
       "compare the results of describe with the submitted app", &app_runs},
      {"app.other_process", kKind, Needs::kApp,
       "nothing about an app is kept only in memory: other processes ask for it (abi/scheduler.h)",
       "keep it in the engine, or in files below host().state_dir()", &app_other_process},
      {"app.describe", kKind, Needs::kApp,
       "describe calls back once and returns the callback's answer (abi/scheduler.h)",
       "call back once, for every value of `want`", &app_describes},
      {"app.list", kKind, Needs::kApp, "list knows every app, and stops when the callback says so",
       "list the apps that describe knows", &app_lists},
      {"app.active", kKind, Needs::kApp,
       "a list with hints has every app that they select (slipway_list_query in abi/status.h)",
       "leave out only apps whose state is terminal", &app_is_active},
      {"app.logs", kKind, Needs::kApp,
       "the logs of an app that has ended are complete, the same each time, and name their replica "
       "(abi/logs.h)",
       "set role and replica of every chunk, and keep to the targets", &app_logs},
      {"app.newer_host", kKind, Needs::kApp,
       "an app runs as well when the host's structs are larger than this version's (R1, R9)",
       "ask SLIPWAY_HAS for fields, and ignore reserved ones", &app_with_newer_host},
      {"app.delete", kKind, Needs::kApp,
       "delete_app deletes an app that has ended, and no other (abi/scheduler.h)",
       "check the app's state first", &app_deletes},
  };
}

}  // namespace slipway::check
