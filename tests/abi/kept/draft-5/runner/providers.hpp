// The providers other than the scheduler.
#pragma once

#include "slipway/abi/plugin.h"

namespace runner {

extern const slipway_provider kImages;
extern const slipway_provider kResources;
extern const slipway_provider kComponents;
extern const slipway_provider kWorkspace;

}  // namespace runner
