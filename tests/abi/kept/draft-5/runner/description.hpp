// What the scheduler reports about an app.
#pragma once

#include "slipway/abi/scheduler.h"

namespace runner {

slipway_status describe(slipway_scheduler* self, const slipway_call* call, slipway_str id,
                        const slipway_describe_opts* opts, slipway_on_description on_description,
                        void* ctx, slipway_error* err);

}  // namespace runner
