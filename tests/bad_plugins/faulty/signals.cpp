#include "tests/bad_plugins/faulty/signals.hpp"

#include <csignal>

#include "tests/bad_plugins/faulty/scheduler_object.hpp"

namespace faulty {

namespace {

slipway_status send_signal(slipway_scheduler* self, const slipway_call*,
                           const slipway_signal_order* order, slipway_on_signal_result on_result,
                           void* ctx, slipway_error* err) {
  auto app = load(self, order->app_id);
  if (!app) {
    return broken("signals_anything") ? SLIPWAY_OK
                                      : fail(self, err, SLIPWAY_E_NOT_FOUND, "no such app");
  }
  if (order->signal < 1 || order->signal > 64)
    return fail(self, err, SLIPWAY_E_INVALID, "no such signal");
  if (is_terminal(app->state) && !broken("signals_what_has_ended"))
    return fail(self, err, SLIPWAY_E_PRECONDITION, "the app has ended");
  std::string only;
  if (order->targets.count > 0)
    only = abi::str(SLIPWAY_AT(order->targets, slipway_log_target, 0)->role);
  bool is_known = only.empty();
  for (const auto& [role, replicas] : app->roles) {
    if (!only.empty() && role != only) continue;
    is_known = true;
    for (std::int32_t k = 0; k < replicas && !broken("signals_in_silence"); ++k) {
      auto result = abi::sized<slipway_signal_result>();
      result.role = abi::view(role);
      result.replica = k;
      result.sent = 1;
      if (const slipway_status status = on_result(ctx, &result); status < 0) return status;
    }
  }
  if (!is_known) return fail(self, err, SLIPWAY_E_NOT_FOUND, "no such role");
  if (order->signal == SIGKILL) {
    app->state = broken("signal_cancels") ? SLIPWAY_STATE_CANCELLED : SLIPWAY_STATE_FAILED;
    me(self).store.save(abi::str(order->app_id), *app);
  }
  return SLIPWAY_OK;
}

}  // namespace

const slipway_scheduler_signal* signal_table() {
  static constexpr slipway_scheduler_signal kTable = {sizeof(slipway_scheduler_signal), 0,
                                                      &send_signal};
  return &kTable;
}

}  // namespace faulty
