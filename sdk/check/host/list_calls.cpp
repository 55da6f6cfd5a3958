#include "sdk/check/host/list_calls.hpp"

#include "sdk/check/host/checked_callback.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

slipway_status take_item(void* self, const slipway_list_item* given) {
  auto& listed = *static_cast<ListedApps*>(self);
  ++listed.calls;
  const slipway_list_item item = abi::widen(given);
  listed.ids.push_back(abi::str(item.app_id));
  listed.apps[abi::str(item.app_id)] = {abi::str(item.session), item.submitted_at_ns};
  return listed.stop;
}

}  // namespace

ListedApps list(const SchedulerUnderTest& scheduler, slipway_list_query query,
                slipway_status stop) {
  GuardedMemory memory;
  const slipway_list_query* placed = memory.object(query);
  memory.seal();
  ListedApps out;
  out.stop = stop;
  scheduler.step("list");
  out.status = scheduler.table().list(scheduler.object(), plain_call(), placed,
                                      kChecked<&take_item>, &out, &out.error);
  memory.vanish();
  return out;
}

}  // namespace slipway::check
