// What the faulty scheduler reports about an app.
#pragma once

#include "slipway/abi/scheduler.h"

namespace faulty {

/// The function of the scheduler's table, with its faults.
slipway_status describe(slipway_scheduler* self, const slipway_call* call, slipway_str id,
                        const slipway_describe_opts* opts, slipway_on_description on_description,
                        void* ctx, slipway_error* err);

/// Waits until the host cancels the call, and returns SLIPWAY_E_CANCELLED. This is no fault, but as
/// slow as a scheduler may be.
slipway_status wait_for_stop(slipway_scheduler* self, const slipway_call* call, slipway_error* err);

}  // namespace faulty
