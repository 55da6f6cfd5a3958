// Checks of a scheduler for which the kit submits no app and makes no request.
#include <set>
#include <string>
#include <vector>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/checks/left_behind.hpp"
#include "sdk/check/host/checked_callback.hpp"
#include "sdk/check/host/hostile_app.hpp"
#include "sdk/check/host/samples.hpp"
#include "sdk/check/host/scheduler_calls.hpp"
#include "sdk/support/role_keys.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

void scheduler_run_opts(const Trial& trial) { SchedulerUnderTest(trial).run_opts(); }

struct FieldSink {
  std::vector<std::string> names;
  static slipway_status take(void* self, const slipway_app_field* given) {
    static_cast<FieldSink*>(self)->names.push_back(abi::str(abi::widen(given).name));
    return SLIPWAY_OK;
  }
};

void scheduler_app_fields(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  std::set<std::string> known = {"image",          "base_image",
                                 "min_replicas",   "max_retries",
                                 "port_map",       "metadata",
                                 "macros",         "retry_policy.APPLICATION",
                                 "resource.cpu",   "resource.gpu",
                                 "resource.memMB", "retry_policy.REPLICA",
                                 "resource.tags",  "resource.devices",
                                 "mounts.bind",    "retry_policy.ROLE",
                                 "mounts.volume",  "resource.capabilities",
                                 "mounts.device",  "deployment_preference",
                                 "app.metadata",   "resource.cpu.fraction"};
  known.insert(kRoleKeys.begin(), kRoleKeys.end());
  if (!scheduler.has(&slipway_scheduler_vtbl::app_fields))
    throw Inconclusive("it does not say which fields it acts on");
  GuardedMemory memory;
  const slipway_cfg* cfg = hostile_cfg(memory, scheduler.cfg(), {});
  memory.seal();
  FieldSink sink;
  slipway_error error;
  scheduler.step("app_fields");
  const slipway_status status = scheduler.table().app_fields(
      scheduler.object(), plain_call(), cfg, kChecked<&FieldSink::take>, &sink, &error);
  memory.vanish();
  if (status == SLIPWAY_E_UNIMPLEMENTED)
    throw Inconclusive("it does not say which fields it acts on");
  require_ok("app_fields", status, error);
  std::set<std::string> seen;
  for (const std::string& name : sink.names) {
    require(known.count(name) == 1,
            "app_fields names \"" + name + "\", which is not a field of apps");
    require(seen.insert(name).second, "app_fields names " + name + " twice");
  }
}

void scheduler_describe_unknown(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  for (const std::string_view id :
       {kNoSuchApp, std::string_view(), std::string_view("../../etc")}) {
    const auto answer = scheduler.describe(id, SLIPWAY_WANT_REPLICAS);
    const std::string call = "describe of an app that does not exist (\"" + std::string(id) + "\")";
    inspect_failure(call, answer.status, answer.error);
    require(answer.status >= 0, call + " failed: " + answer.error.message);
    require(answer.calls == 0, call + " called back");
    if (!scheduler.has(&slipway_scheduler_vtbl::exists)) continue;
    GuardedMemory memory;
    const slipway_str placed = memory.text(id);
    memory.seal();
    slipway_error error;
    int32_t is_there = 0;
    scheduler.step("exists");
    const slipway_status status =
        scheduler.table().exists(scheduler.object(), plain_call(), placed, &is_there, &error);
    if (status == SLIPWAY_E_UNIMPLEMENTED) continue;  // as without the function
    require_ok("exists", status, error);
    require(is_there == 0, "exists sets *out to nonzero for an app that does not exist");
  }
}

void scheduler_cancel_unknown(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  for (const bool now : {false, true}) {
    const Answer answer = scheduler.cancel(kNoSuchApp, now);
    inspect_failure("cancel of an app that does not exist", answer.status, answer.error);
    require(answer.status >= 0,
            "cancel of an app that does not exist failed: " + answer.error.message);
  }
}

void scheduler_delete_unknown(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  if (!scheduler.has(&slipway_scheduler_vtbl::delete_app))
    throw Inconclusive("it has no delete_app");
  const Answer answer = scheduler.delete_app(kNoSuchApp);
  if (answer.status == SLIPWAY_E_UNIMPLEMENTED) throw Inconclusive("it deletes no apps");
  inspect_failure("delete_app of an app that does not exist", answer.status, answer.error);
  require(answer.status >= 0,
          "delete_app of an app that does not exist failed: " + answer.error.message);
}

void scheduler_open_unknown(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  GuardedMemory memory;
  auto query = abi::sized<slipway_log_query>();
  query.app_id = memory.text(kNoSuchApp);
  query.targets.stride = sizeof(slipway_log_target);
  query.since_ns = query.until_ns = SLIPWAY_TIME_UNSET;
  const slipway_log_query* placed = memory.object(query);
  auto events_opts = abi::sized<slipway_events_opts>();
  events_opts.what = SLIPWAY_EVENTS_REPLICAS;
  const slipway_events_opts* placed_events = memory.object(events_opts);
  memory.seal();
  const auto verify = [](const char* function, slipway_status status, const slipway_error& error,
                         bool opened) {
    if (status == SLIPWAY_E_UNIMPLEMENTED) return;
    inspect_failure(function, status, error);
    require(status == SLIPWAY_E_NOT_FOUND && !opened,
            std::string(function) + " of an app that does not exist gave status " +
                std::to_string(status));
  };
  if (scheduler.has(&slipway_scheduler_vtbl::log_open)) {
    slipway_log_iter* iterator = nullptr;
    slipway_error error;
    scheduler.step("log_open");
    const slipway_status status =
        scheduler.table().log_open(scheduler.object(), plain_call(), placed, &iterator, &error);
    const bool opened = iterator != nullptr;
    if (status >= 0 && opened && scheduler.has(&slipway_scheduler_vtbl::log_close)) {
      scheduler.step("log_close");
      scheduler.table().log_close(iterator);
    }
    verify("log_open", status, error, opened);
  }
  if (scheduler.has(&slipway_scheduler_vtbl::events_open)) {
    slipway_events* events = nullptr;
    slipway_error error;
    scheduler.step("events_open");
    const slipway_status status = scheduler.table().events_open(
        scheduler.object(), plain_call(), query.app_id, placed_events, &events, &error);
    const bool opened = events != nullptr;
    if (status >= 0 && opened && scheduler.has(&slipway_scheduler_vtbl::events_close)) {
      scheduler.step("events_close");
      scheduler.table().events_close(events);
    }
    verify("events_open", status, error, opened);
  }
}

}  // namespace

void cancel_left_behind(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  scheduler.end(trial.progress.unfinished_app());
}

std::vector<Check> scheduler_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_SCHEDULER;
  return {
      {"scheduler.run_opts",
       kKind,
       Needs::kNothing,
       "every run option has a name, a type and a default of that type (abi/options.h)",
       "correct the declaration that is named",
       &scheduler_run_opts,
       {"provider.functions"}},
      {"scheduler.app_fields",
       kKind,
       Needs::kNothing,
       "the fields that the scheduler acts on have the names of slipway_app_field, each once",
       "take the names from abi/scheduler.h",
       &scheduler_app_fields,
       {"scheduler.run_opts"}},
      {"scheduler.describe_unknown",
       kKind,
       Needs::kNothing,
       "an app that does not exist is not an error: describe succeeds and does not call back",
       "return SLIPWAY_OK without calling back",
       &scheduler_describe_unknown,
       {"provider.functions"}},
      {"scheduler.cancel_unknown",
       kKind,
       Needs::kNothing,
       "cancel of an app that does not exist is not an error (abi/scheduler.h, cancel)",
       "return SLIPWAY_OK",
       &scheduler_cancel_unknown,
       {"provider.functions"}},
      {"scheduler.delete_unknown",
       kKind,
       Needs::kNothing,
       "an app that does not exist is an error only for log_open and events_open (abi/scheduler.h)",
       "return SLIPWAY_OK, because the app is already gone",
       &scheduler_delete_unknown,
       {"provider.functions"}},
      {"scheduler.open_unknown",
       kKind,
       Needs::kNothing,
       "log_open and events_open of an app that does not exist give SLIPWAY_E_NOT_FOUND",
       "look for the app before making the iterator",
       &scheduler_open_unknown,
       {"provider.functions"}},
  };
}

}  // namespace slipway::check
