// Checks of every call that may wait: its deadline, its request to stop, the thread of its
// callbacks and its silence.
#include <sys/eventfd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/checks/process_state.hpp"
#include "sdk/check/checks/sleeper.hpp"
#include "sdk/check/host/limited_calls.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::check {

namespace {

using Clock = std::chrono::steady_clock;

std::int64_t nanoseconds(Clock::time_point time) {
  return std::chrono::nanoseconds(time.time_since_epoch()).count();
}

// Makes the call, which must return within the check's patience, unless its deadline is later.
Answer answer_in_time(const Trial& trial, const LimitedCall& call, const slipway_call& context,
                      const std::string& when) {
  GuardedMemory memory;
  const slipway_call* placed = memory.object(context);
  memory.seal();
  Answer out;
  trial.progress.step(call.name + when);
  const auto start = Clock::now();
  out.status = call.make(placed, &out.error);
  const long took = milliseconds_since(start);
  memory.vanish();
  const std::int64_t allowed_ns = context.deadline_ns - nanoseconds(start);
  require(took < std::max<std::int64_t>(patience_ms(trial), allowed_ns / 1'000'000),
          call.name + when + " returned after " + std::to_string(took) + " ms");
  require_reason(call.name + when, out.status, out.error);
  return out;
}

// Calls `judge(call, status)` for each call; `status` is that of the call without limits. Leaves
// out calls that cannot work on this machine; if there is one, the check counts as skipped unless
// another call fails.
void for_each_call(const Trial& trial,
                   const std::function<void(const LimitedCall&, slipway_status)>& judge) {
  const LimitedCalls calls(trial);
  std::string left_out;
  for (const LimitedCall& call : calls.all()) {
    Answer plain;
    trial.progress.step(call.name);
    plain.status = call.make(plain_call(), &plain.error);
    if (plain.status == SLIPWAY_E_UNIMPLEMENTED) continue;  // as if the function were missing
    try {
      inspect_failure(call.name, plain.status, plain.error);
    } catch (const Inconclusive& unable) {
      left_out = unable.what();
      continue;
    }
    judge(call, plain.status);
  }
  if (!left_out.empty()) throw Inconclusive(left_out);
}

void limits_deadline(const Trial& trial) {
  for_each_call(trial, [&](const LimitedCall& call, slipway_status plain) {
    auto context = abi::sized<slipway_call>();
    const auto deadline = Clock::now() + std::chrono::seconds(trial.options.limit_s);
    context.deadline_ns = nanoseconds(deadline);
    const Answer before = answer_in_time(trial, call, context, " before its deadline");
    require(before.status >= 0 || plain < 0,
            call.name + " failed before its deadline: " + before.error.message,
            "compare deadline_ns with CLOCK_MONOTONIC");
    context.deadline_ns = nanoseconds(Clock::now() - std::chrono::seconds(1));
    const Answer late = answer_in_time(trial, call, context, " after its deadline");
    // SLIPWAY_E_TEMPORARY is also correct: the engine got no time to answer.
    require(late.status >= 0 || late.status == SLIPWAY_E_TIMEOUT ||
                late.status == SLIPWAY_E_TEMPORARY || plain < 0,
            call.name + " gave status " + std::to_string(late.status) +
                " after its deadline: " + late.error.message,
            "return SLIPWAY_E_TIMEOUT, or the answer if it is there");
  });
}

void limits_cancelled(const Trial& trial) {
  const OwnedFd requested(::eventfd(1, EFD_CLOEXEC));
  if (!requested) throw Inconclusive("cannot create a descriptor");
  const slipway_cancel cancel(requested.get());
  for_each_call(trial, [&](const LimitedCall& call, slipway_status plain) {
    auto context = abi::sized<slipway_call>();
    context.cancel = &cancel;
    const Answer answer = answer_in_time(trial, call, context, " after its cancellation");
    require(answer.status >= 0 || answer.status == SLIPWAY_E_CANCELLED || plain < 0,
            call.name + " gave status " + std::to_string(answer.status) +
                " after its cancellation: " + answer.error.message,
            "return SLIPWAY_E_CANCELLED, or the answer if it is there");
  });
}

void limits_thread(const Trial& trial) {
  const LimitedCalls calls(trial);
  for (const LimitedCall& call : calls.all()) {
    slipway_error error;
    trial.progress.step(call.name);
    (void)call.make(plain_call(), &error);
    calls.verify_thread(call.name);
  }
}

// Prints a request and patches it.
void use_request(const SchedulerUnderTest& scheduler) {
  slipway_request* request = scheduler.request(scheduler.app());
  for (const std::int32_t format : {SLIPWAY_PRINT_TEXT, SLIPWAY_PRINT_JSON})
    scheduler.print(request, format);
  require_silence("request_print");
  if (scheduler.has(&slipway_scheduler_vtbl::request_patch)) {
    GuardedMemory memory;
    const slipway_str patch = memory.text("{}");
    slipway_error error;
    scheduler.step("request_patch");
    (void)scheduler.table().request_patch(scheduler.object(), request, patch, &error);
    require_silence("request_patch");
  }
  scheduler.free(request);
  require_silence("request_free");
}

void limits_quiet(const Trial& trial) {
  const LimitedCalls calls(trial);
  require_silence(trial.progress.last_step());
  for (const LimitedCall& call : calls.all()) {
    slipway_error error;
    trial.progress.step(call.name);
    (void)call.make(plain_call(), &error);
    require_silence(call.name);
  }
  if (trial.kind == SLIPWAY_KIND_SCHEDULER) use_request(SchedulerUnderTest(trial));
}

}  // namespace

std::vector<Check> limit_checks() {
  // Checks that make the same calls without limits. If one of them has failed, the checks below are
  // skipped.
  const std::vector<std::string_view> calls_work = {"provider.functions",
                                                    "scheduler.run_opts",
                                                    "scheduler.app_fields",
                                                    "scheduler.guarded",
                                                    "scheduler.cancel_unknown",
                                                    "scheduler.describe_unknown",
                                                    "scheduler.delete_unknown",
                                                    "scheduler.open_unknown",
                                                    "images.names",
                                                    "images.fetch_role",
                                                    "images.use_lock",
                                                    "resources.list",
                                                    "resources.get",
                                                    "components.list",
                                                    "components.build",
                                                    "workspaces.plan_is_dry",
                                                    "workspaces.same_image",
                                                    "workspaces.discard"};
  std::vector<std::string_view> quiet_after = calls_work;
  for (const char* name : {"load.quiet", "scheduler.request_print", "scheduler.patch"})
    quiet_after.emplace_back(name);
  return {
      {"provider.deadline", "*", Needs::kNothing,
       "a call returns when its deadline is over, and not before because of it (slipway_call in "
       "abi/base.h)",
       "wait until deadline_ns of CLOCK_MONOTONIC at most, and do not wait if that time has passed",
       &limits_deadline, calls_work, Remedy::kAlsoForCrash},
      {"provider.call_cancel", "*", Needs::kNothing,
       "a call that the host cancels returns soon (slipway_host.cancel_requested)",
       "also wait in poll() on host->cancel_fd, and return once it is readable", &limits_cancelled,
       calls_work, Remedy::kAlsoForCrash},
      {"provider.callbacks", "*", Needs::kNothing,
       "callbacks come in the thread of the call, before it returns (abi/base.h, Threads)", "",
       &limits_thread, calls_work},
      {"provider.quiet", "*", Needs::kOwnProcess,
       "no call writes to stdout or stderr (abi/base.h, The process)",
       "use host->log, and give programs that a call starts other streams than the host's",
       &limits_quiet, quiet_after},
  };
}

}  // namespace slipway::check
