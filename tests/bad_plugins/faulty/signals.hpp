// The faulty scheduler's ability to send signals.
#pragma once

#include "slipway/abi/signal.h"

namespace faulty {

/// Returns the table of SLIPWAY_SCHEDULER_SIGNAL, which lives as long as the plug-in.
const slipway_scheduler_signal* signal_table();

}  // namespace faulty
