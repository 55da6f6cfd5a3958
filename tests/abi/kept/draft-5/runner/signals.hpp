// The scheduler's ability to send signals.
#pragma once

#include "slipway/abi/signal.h"

namespace runner {

const slipway_scheduler_signal* signal_table();

}  // namespace runner
