#include "tests/bad_plugins/faulty/signals.hpp"

#include <csignal>

#include "tests/bad_plugins/faulty/scheduler_object.hpp"
#include "tests/bad_plugins/faulty/supervisor.hpp"

namespace faulty {

namespace {

slipway_status send_signal(slipway_scheduler* self, const slipway_call*,
                           const slipway_signal_order* order, slipway_on_signal_result on_result,
                           void* ctx, slipway_error* err) {
  const auto app = load(self, order->app_id);
  if (!app) {
    return broken("signals_anything") ? SLIPWAY_OK
                                      : fail(self, err, SLIPWAY_E_NOT_FOUND, "no such app");
  }
  if ((order->signal < 1 || order->signal > 64) && !broken("sends_any_number"))
    return fail(self, err, SLIPWAY_E_INVALID, "no such signal");
  if (is_terminal(app->status.state) && !broken("signals_ended_app"))
    return fail(self, err, SLIPWAY_E_PRECONDITION, "the app has ended");
  std::string only;  // the kit names one role at most, and none of its replicas
  if (order->targets.count > 0)
    only = abi::str(SLIPWAY_AT(order->targets, slipway_log_target, 0)->role);
  const bool cancels = order->signal == SIGKILL && broken("signal_cancels");
  if (cancels) order_cancel(me(self).store, abi::str(order->app_id), 0);
  bool is_known = only.empty();
  for (const StoredReplica& one : app->status.replicas) {
    if (!only.empty() && one.role != only) continue;
    is_known = true;
    auto result = abi::sized<slipway_signal_result>();
    result.role = abi::view(one.role);
    result.replica = one.id;
    result.sent = one.state == SLIPWAY_STATE_RUNNING ? 1 : 0;
    if (result.sent == 0) result.why = abi::view("it does not run");
    if (result.sent != 0 && !cancels) ::kill(-static_cast<pid_t>(one.pid), order->signal);
    if (broken("signals_without_results")) continue;
    if (const slipway_status status = on_result(ctx, &result); status < 0) return status;
  }
  if (!is_known) return fail(self, err, SLIPWAY_E_NOT_FOUND, "no such role");
  return SLIPWAY_OK;
}

}  // namespace

const slipway_scheduler_signal* signal_table() {
  static constexpr slipway_scheduler_signal kTable = {sizeof(slipway_scheduler_signal), 0,
                                                      &send_signal};
  return &kTable;
}

}  // namespace faulty
