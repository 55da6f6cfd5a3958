#include "sdk/check/host/subscription.hpp"

namespace slipway::check {

Subscription::Subscription(const SchedulerUnderTest& scheduler, const std::string& app_id)
    : scheduler_(scheduler) {
  if (!scheduler.has(&slipway_scheduler_vtbl::events_open)) return;
  GuardedMemory memory;
  const slipway_str id = memory.text(app_id);
  auto opts = abi::sized<slipway_events_opts>();
  opts.what = SLIPWAY_EVENTS_STATE;
  const slipway_events_opts* placed = memory.object(opts);
  memory.seal();
  Answer answer;
  scheduler.step("events_open");
  answer.status = scheduler.table().events_open(scheduler.object(), plain_call(), id, placed,
                                                &events_, &answer.error);
  memory.vanish();
  if (answer.status == SLIPWAY_E_UNIMPLEMENTED) return;
  require_ok("events_open", answer.status, answer.error);
  require(events_ != nullptr, "events_open succeeded and left *out NULL");
}

Subscription::~Subscription() {
  if (events_ == nullptr) return;
  scheduler_.step("events_close");
  scheduler_.table().events_close(events_);
}

Answer Subscription::drain() const {
  Answer out;
  out.status = scheduler_.table().events_drain(events_, &out.error);
  return out;
}

}  // namespace slipway::check
