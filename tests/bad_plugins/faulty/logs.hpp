// The logs of the faulty scheduler.
#pragma once

#include "slipway/abi/scheduler.h"

namespace faulty {

// Implement the functions of slipway_scheduler_vtbl with these names.

slipway_status log_open(slipway_scheduler* self, const slipway_call* call,
                        const slipway_log_query* query, slipway_log_iter** out, slipway_error* err);
slipway_status log_next(slipway_log_iter* given, int64_t timeout_ms, slipway_on_log_chunk on_chunk,
                        void* ctx, slipway_error* err);
void log_cancel(slipway_log_iter* given);
void log_close(slipway_log_iter* given);

}  // namespace faulty
