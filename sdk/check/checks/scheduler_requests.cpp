// Checks of the requests that a scheduler makes and prints, none of which is scheduled.
#include <filesystem>
#include <string>
#include <vector>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/host/hostile_app.hpp"
#include "sdk/check/host/scheduler_calls.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

// Calls submit_dryrun with scheduler.app() and returns the answer, whose request is already freed.
SchedulerUnderTest::Dryrun dryrun_of_app(const SchedulerUnderTest& scheduler) {
  GuardedMemory memory;
  const slipway_app_def* app = hostile_app(memory, scheduler.app());
  const slipway_cfg* cfg = hostile_cfg(memory, scheduler.cfg());
  memory.seal();
  auto answer = scheduler.dryrun(app, cfg);
  memory.vanish();
  scheduler.free(answer.request);
  return answer;
}

// Finds plug-ins that crash. The check scheduler.dryrun judges the answer of submit_dryrun.
void scheduler_guarded(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  try {
    scheduler.require_request(dryrun_of_app(scheduler));
  } catch (const Broken& defect) {
    throw Inconclusive(defect.what());
  }
}

void scheduler_dryrun(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  scheduler.free(scheduler.request(scheduler.app()));
}

void scheduler_request_text(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  slipway_request* request = scheduler.request(scheduler.app());
  const std::string text = scheduler.print(request, SLIPWAY_PRINT_TEXT);
  require(!text.empty(), "request_print gave no text for people");
  require(text.ends_with('\n'), "request_print gave a text for people without a line end",
          "end the text with \\n");
  const std::string json = scheduler.print(request, SLIPWAY_PRINT_JSON);
  require(is_json_object(json), "request_print gave as JSON: " + json.substr(0, 60));
  scheduler.free(request);
}

void scheduler_dryrun_is_dry(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  scheduler.free(scheduler.request(scheduler.app()));
  for (const auto& made : std::filesystem::directory_iterator(trial.directory))
    throw Broken("submit_dryrun made " + made.path().string());
}

void scheduler_empty_app(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  GuardedMemory memory;
  const slipway_app_def* app = hostile_app(memory, AppDef("empty"));
  const slipway_cfg* cfg = hostile_cfg(memory, scheduler.cfg());
  memory.seal();
  const auto answer = scheduler.dryrun(app, cfg);
  inspect_failure("submit_dryrun of an app without roles", answer.status, answer.error);
  require(answer.status >= 0 || answer.request == nullptr, "submit_dryrun failed but set *out",
          "set *out at the very end");
  require(answer.status < 0 || answer.request != nullptr,
          "submit_dryrun succeeded and left *out NULL");
  scheduler.free(answer.request);
}

void scheduler_stop(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  struct Counter {
    int calls = 0;
    static slipway_status opt(void* self, const slipway_run_opt*) {
      ++static_cast<Counter*>(self)->calls;
      return kCallbackStop;
    }
  } counter;
  slipway_error error;
  scheduler.step("run_opts");
  const slipway_status status =
      scheduler.table().run_opts(scheduler.object(), plain_call(), &Counter::opt, &counter, &error);
  const auto verify = [](const char* function, int calls, slipway_status came_back) {
    require(calls <= 1, std::string(function) + " continued after its callback returned " +
                            std::to_string(kCallbackStop));
    require(calls == 0 || came_back == kCallbackStop,
            std::string(function) + " returned " + std::to_string(came_back) +
                " although its callback returned " + std::to_string(kCallbackStop));
  };
  verify("run_opts", counter.calls, status);
  slipway_request* request = scheduler.request(scheduler.app());
  TextSink text;
  text.stop = kCallbackStop;
  scheduler.step("request_print");
  const slipway_status printed = scheduler.table().request_print(
      scheduler.object(), request, SLIPWAY_PRINT_TEXT, &TextSink::take, &text, &error);
  verify("request_print", text.calls, printed);
  scheduler.free(request);
}

void scheduler_patch(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  if (!scheduler.has(&slipway_scheduler_vtbl::request_patch))
    throw Inconclusive("it has no request_patch");
  slipway_request* request = scheduler.request(scheduler.app());
  const std::string before = scheduler.print(request, SLIPWAY_PRINT_JSON);
  for (const char* text : {"{not json", "[]", "7", ""}) {
    GuardedMemory memory;
    const slipway_str given = memory.text(text);
    memory.seal();
    slipway_error error;
    scheduler.step("request_patch");
    const slipway_status status =
        scheduler.table().request_patch(scheduler.object(), request, given, &error);
    if (status == SLIPWAY_E_UNIMPLEMENTED) throw Inconclusive("its requests cannot be patched");
    inspect_failure("request_patch", status, error);
    require(status < 0, std::string("request_patch accepted the patch \"") + text + "\"");
    require(scheduler.print(request, SLIPWAY_PRINT_JSON) == before,
            std::string("the request was changed by the refused patch \"") + text + "\"");
  }
  scheduler.free(request);
}

}  // namespace

std::vector<Check> scheduler_request_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_SCHEDULER;
  return {
      {"scheduler.guarded",
       kKind,
       Needs::kNothing,
       "strings are pointer and length, without a NUL; structs are as large as they say (R1, R7)",
       "copy with the length (slipway::abi::str), and ask SLIPWAY_HAS for later fields",
       &scheduler_guarded,
       {"scheduler.run_opts"},
       Remedy::kAlsoForCrash},
      {"scheduler.dryrun",
       kKind,
       Needs::kNothing,
       "submit_dryrun makes a request, or says why it cannot run the app; it does not fail because "
       "of a defect (abi/scheduler.h)",
       "refuse an app with SLIPWAY_E_INVALID: SLIPWAY_E_INTERNAL reports a defect of the plug-in, "
       "and in C++ every exception that is not a slipway::Error becomes one",
       &scheduler_dryrun,
       {"scheduler.guarded"}},
      {"scheduler.request_print",
       kKind,
       Needs::kNothing,
       "a request prints as a text for people and as one JSON object (abi/scheduler.h, "
       "request_print)",
       "quote with slipway::json_quote, and close what you open",
       &scheduler_request_text,
       {"scheduler.dryrun"}},
      {"scheduler.dryrun_is_dry",
       kKind,
       Needs::kNothing,
       "submit_dryrun changes nothing (abi/scheduler.h)",
       "make files in schedule",
       &scheduler_dryrun_is_dry,
       {"scheduler.dryrun"}},
      {"scheduler.empty_app",
       kKind,
       Needs::kNothing,
       "an app without roles is an error with a message, or accepted",
       "check the app before using it",
       &scheduler_empty_app,
       {"scheduler.dryrun"}},
      {"scheduler.stop",
       kKind,
       Needs::kNothing,
       "a callback's negative answer ends the call, which returns it unchanged (abi/base.h)",
       "return at once what the callback returned",
       &scheduler_stop,
       {"scheduler.request_print"}},
      {"scheduler.patch",
       kKind,
       Needs::kNothing,
       "a patch that cannot be applied is refused and changes nothing (abi/scheduler.h, "
       "request_patch)",
       "change a copy of the request, check the copy, then use it in place of the request",
       &scheduler_patch,
       {"scheduler.request_print"}},
  };
}

}  // namespace slipway::check
