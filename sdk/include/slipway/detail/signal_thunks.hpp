// Converts signal orders and results between C++ values and C views; the C table of
// Scheduler::signal().
#pragma once

#include "slipway/abi/signal.h"
#include "slipway/detail/guard.hpp"
#include "slipway/detail/log_views.hpp"
#include "slipway/detail/scheduler_object.hpp"
#include "slipway/signals.hpp"

namespace slipway {
inline namespace sdk_1_0 {
namespace abi {

/// A C view of a SignalOrder, which must outlive it.
class SignalOrderView {
 public:
  explicit SignalOrderView(const SignalOrder& order)
      : targets_(views_of(order.targets)), view_(sized<slipway_signal_order>()) {
    view_.signal = order.signal;
    view_.app_id = view(order.app_id);
    view_.targets = array_of<slipway_log_target_array>(targets_);
  }
  SignalOrderView(const SignalOrderView&) = delete;
  SignalOrderView& operator=(const SignalOrderView&) = delete;
  const slipway_signal_order* get() const { return &view_; }

 private:
  std::vector<slipway_log_target> targets_;
  slipway_signal_order view_;
};

inline SignalOrder read(const slipway_signal_order& from) {
  const slipway_signal_order order = widen(&from);
  return {str(order.app_id), order.signal, read(order.targets)};
}

inline slipway_signal_result view_of(const SignalResult& result) {
  auto v = sized<slipway_signal_result>();
  v.replica = result.replica;
  v.sent = result.sent ? 1 : 0;
  v.role = view_or_absent(result.role);
  v.why = view_or_absent(result.why);
  return v;
}

inline SignalResult read(const slipway_signal_result& from) {
  const slipway_signal_result result = widen(&from);
  return {str(result.role), result.replica, result.sent != 0, str(result.why)};
}

namespace scheduler_thunks {

inline slipway_status send_signal(slipway_scheduler* self, const slipway_call* call,
                                  const slipway_signal_order* order,
                                  slipway_on_signal_result on_result, void* ctx,
                                  slipway_error* err) {
  return guard(object(self).host, err, [&] {
    const SignalOrder wanted = read(*order);
    if (wanted.signal < kFirstSignal || wanted.signal > kLastSignal) {
      throw Error(Code::kInvalid,
                  "there is no signal with the number " + std::to_string(wanted.signal),
                  "signals have the numbers 1 to 64");
    }
    for (const SignalResult& result :
         object(self).impl->signal(wanted, Call(call, object(self).host, err))) {
      const slipway_signal_result v = view_of(result);
      ok(on_result(ctx, &v));
    }
  });
}

}  // namespace scheduler_thunks

inline constexpr slipway_scheduler_signal kSchedulerSignal = {sizeof(slipway_scheduler_signal), 0,
                                                              &scheduler_thunks::send_signal};

}  // namespace abi
}  // namespace sdk_1_0
}  // namespace slipway
