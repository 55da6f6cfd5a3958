// The faulty scheduler's ability to send signals.
#pragma once

#include "slipway/abi/signal.h"

namespace faulty {

const slipway_scheduler_signal* signal_table();

}  // namespace faulty
