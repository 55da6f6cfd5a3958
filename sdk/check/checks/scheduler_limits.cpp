// Checks of calls with a deadline, or with a request to stop.
#include <sys/eventfd.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/checks/sleeper.hpp"
#include "sdk/check/host/scheduler_calls.hpp"
#include "slipway/detail/views.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::check {

namespace {

using Clock = std::chrono::steady_clock;

slipway_status pass_opt(void*, const slipway_run_opt*) { return SLIPWAY_OK; }
slipway_status pass_item(void*, const slipway_list_item*) { return SLIPWAY_OK; }
slipway_status pass_description(void*, const slipway_description*) { return SLIPWAY_OK; }

// The calls of a scheduler that may ask an engine and change nothing.
struct AskingCall {
  const char* name;
  std::function<slipway_status(const slipway_call*, slipway_error*)> make;
};

class AskingCalls {
 public:
  explicit AskingCalls(const SchedulerUnderTest& scheduler) : scheduler_(scheduler) {
    id_ = memory_.text(kNoSuchApp);
    auto cancel = abi::sized<slipway_cancel_opts>();
    cancel.grace_ms = -1;
    cancel_ = memory_.object(cancel);
    describe_ = memory_.object(abi::sized<slipway_describe_opts>());
    list_ = memory_.object(abi::sized<slipway_list_query>());
    memory_.seal();
  }

  std::vector<AskingCall> all() const {
    slipway_scheduler* self = scheduler_.object();
    const slipway_scheduler_vtbl& table = scheduler_.table();
    return {{"run_opts",
             [=, &table](const slipway_call* call, slipway_error* error) {
               return table.run_opts(self, call, &pass_opt, nullptr, error);
             }},
            {"describe",
             [=, this, &table](const slipway_call* call, slipway_error* error) {
               return table.describe(self, call, id_, describe_, &pass_description, nullptr, error);
             }},
            {"cancel",
             [=, this, &table](const slipway_call* call, slipway_error* error) {
               return table.cancel(self, call, id_, cancel_, error);
             }},
            {"list", [=, this, &table](const slipway_call* call, slipway_error* error) {
               return table.list(self, call, list_, &pass_item, nullptr, error);
             }}};
  }

 private:
  const SchedulerUnderTest& scheduler_;
  GuardedMemory memory_;
  slipway_str id_{};
  const slipway_cancel_opts* cancel_ = nullptr;
  const slipway_describe_opts* describe_ = nullptr;
  const slipway_list_query* list_ = nullptr;
};

// Makes the call, which must return within the check's patience.
Answer answer_in_time(const SchedulerUnderTest& scheduler, const AskingCall& call,
                      const slipway_call& context, const std::string& when) {
  GuardedMemory memory;
  const slipway_call* placed = memory.object(context);
  memory.seal();
  Answer out;
  scheduler.step(call.name + when);
  const auto start = Clock::now();
  out.status = call.make(placed, &out.error);
  const long took = milliseconds_since(start);
  memory.vanish();
  require(took < patience_ms(scheduler.trial()),
          call.name + when + " returned after " + std::to_string(took) + " ms");
  require_reason(call.name + when, out.status, out.error);
  return out;
}

std::int64_t nanoseconds(Clock::time_point time) {
  return std::chrono::nanoseconds(time.time_since_epoch()).count();
}

void scheduler_limits_deadline(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  const AskingCalls calls(scheduler);
  for (const AskingCall& call : calls.all()) {
    Answer plain;
    scheduler.step(call.name);
    plain.status = call.make(plain_call(), &plain.error);
    inspect_failure(call.name, plain.status, plain.error);
    auto context = abi::sized<slipway_call>();
    const auto deadline = Clock::now() + std::chrono::seconds(trial.options.limit_s);
    context.deadline_ns = nanoseconds(deadline);
    const Answer before = answer_in_time(scheduler, call, context, " before its deadline");
    require(before.status >= 0 || plain.status < 0,
            std::string(call.name) + " failed before its deadline: " + before.error.message,
            "compare deadline_ns with CLOCK_MONOTONIC");
    context.deadline_ns = nanoseconds(Clock::now() - std::chrono::seconds(1));
    const Answer late = answer_in_time(scheduler, call, context, " after its deadline");
    // An engine that got no time to answer has not answered at the moment.
    require(late.status >= 0 || late.status == SLIPWAY_E_TIMEOUT ||
                late.status == SLIPWAY_E_TEMPORARY || plain.status < 0,
            std::string(call.name) + " gave status " + std::to_string(late.status) +
                " after its deadline: " + late.error.message,
            "return SLIPWAY_E_TIMEOUT, or the answer if it is there");
  }
}

void scheduler_limits_cancelled(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  const AskingCalls calls(scheduler);
  const OwnedFd requested(::eventfd(1, EFD_CLOEXEC));
  if (!requested) throw Inconclusive("cannot create a descriptor");
  const slipway_cancel cancel(requested.get());
  for (const AskingCall& call : calls.all()) {
    Answer plain;
    scheduler.step(call.name);
    plain.status = call.make(plain_call(), &plain.error);
    inspect_failure(call.name, plain.status, plain.error);
    auto context = abi::sized<slipway_call>();
    context.cancel = &cancel;
    const Answer answer = answer_in_time(scheduler, call, context, " after its cancellation");
    require(answer.status >= 0 || answer.status == SLIPWAY_E_CANCELLED || plain.status < 0,
            std::string(call.name) + " gave status " + std::to_string(answer.status) +
                " after its cancellation: " + answer.error.message,
            "return SLIPWAY_E_CANCELLED, or the answer if it is there");
  }
}

}  // namespace

std::vector<Check> scheduler_limit_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_SCHEDULER;
  return {
      {"scheduler.deadline",
       kKind,
       Needs::kNothing,
       "a call returns when its deadline is over, and not before because of it (slipway_call in "
       "abi/base.h)",
       "wait no longer than until deadline_ns of CLOCK_MONOTONIC; a time that has passed is no "
       "time",
       &scheduler_limits_deadline,
       {"scheduler.describe_unknown", "scheduler.cancel_unknown"}},
      {"scheduler.call_cancel",
       kKind,
       Needs::kNothing,
       "a call that the host cancels returns soon (slipway_host.cancel_requested)",
       "also wait in poll() on host->cancel_fd, and return once it is readable",
       &scheduler_limits_cancelled,
       {"scheduler.describe_unknown", "scheduler.cancel_unknown"}},
  };
}

}  // namespace slipway::check
