// How the faulty scheduler is made.
#pragma once

#include "slipway/abi/plugin.h"
#include "slipway/abi/scheduler.h"

namespace faulty {

/// As slipway_provider.create.
slipway_status create_scheduler(const slipway_host* host, const slipway_create_args* args,
                                void** out, slipway_error* err);

}  // namespace faulty
