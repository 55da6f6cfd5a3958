// Creates the scheduler.
#pragma once

#include "slipway/abi/plugin.h"
#include "slipway/abi/scheduler.h"

namespace runner {

/// Implements slipway_provider.create.
slipway_status create_scheduler(const slipway_host* host, const slipway_call* call,
                                const slipway_create_args* args, void** out, slipway_error* err);

}  // namespace runner
