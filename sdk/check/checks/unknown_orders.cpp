// Checks of orders with values of a later version, which a plug-in refuses (R8).
// scheduler_views.cpp checks such retry policies and kinds of mounts.
#include <string>

#include "sdk/check/checks/failed_schedule.hpp"
#include "sdk/check/checks/groups.hpp"
#include "sdk/check/host/log_calls.hpp"
#include "sdk/check/host/scheduler_calls.hpp"

namespace slipway::check {

namespace {

constexpr std::int32_t kLaterValue = 9999;
constexpr std::uint32_t kLaterFlag = 0x80000000u;
static_assert((kLaterFlag & SLIPWAY_MUST_UNDERSTAND) != 0);

void unknown_orders_format(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  slipway_request* request = scheduler.request(scheduler.app());
  TextSink text;
  slipway_error error;
  scheduler.step("request_print");
  const slipway_status status = scheduler.table().request_print(
      scheduler.object(), request, kLaterValue, &TextSink::take, &text, &error);
  require_reason("request_print", status, error);
  require(status == SLIPWAY_E_UNIMPLEMENTED && text.calls == 0,
          "request_print gave status " + std::to_string(status) + " for an unknown format");
  scheduler.free(request);
}

void unknown_orders_flag(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  auto opts = abi::sized<slipway_schedule_opts>();
  opts.owner_fd = -1;
  opts.flags = kLaterFlag;
  const auto answer = scheduler.schedule(scheduler.app(), opts);
  require(answer.status == SLIPWAY_E_UNIMPLEMENTED && answer.calls == 0,
          "schedule gave status " + std::to_string(answer.status) +
              " for an unknown bit of SLIPWAY_MUST_UNDERSTAND");
  const std::string left = left_by_failed_schedule(scheduler, scheduler.app(), opts);
  require(left.empty(), "schedule failed and left " + left,
          "remove every file and end every process before schedule returns an error");
}

void unknown_orders_stream(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  if (!scheduler.has(&slipway_scheduler_vtbl::log_open)) throw Inconclusive("it keeps no logs");
  const std::string id = scheduler.submit(scheduler.app());
  scheduler.wait_for_end(id, "by itself");
  try {
    const OpenLogs logs(scheduler, id, {.stream = kLaterValue});
  } catch (const NoSuchLogs&) {
    return;
  }
  throw Broken("log_open accepted the unknown stream " + std::to_string(kLaterValue));
}

}  // namespace

std::vector<Check> unknown_order_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_SCHEDULER;
  constexpr const char* kRemedy = "return SLIPWAY_E_UNIMPLEMENTED with a message";
  return {
      {"scheduler.unknown_format",
       kKind,
       Needs::kNothing,
       "a request is not printed in a format of a later version (R8)",
       kRemedy,
       &unknown_orders_format,
       {"scheduler.request_print"}},
      {"app.unknown_flag",
       kKind,
       Needs::kApp,
       "an app is not submitted with flags of a later version that must be understood (R8), and a "
       "failed schedule leaves no file and no process (abi/scheduler.h)",
       kRemedy,
       &unknown_orders_flag,
       {"app.runs"}},
      {"app.unknown_stream",
       kKind,
       Needs::kApp,
       "logs of a stream of a later version are refused (R8, log_open)",
       kRemedy,
       &unknown_orders_stream,
       {"app.logs"}},
  };
}

}  // namespace slipway::check
