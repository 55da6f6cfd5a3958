// The faults that the SDK's classes exclude, so that they need functions of the C contract.
#pragma once

#include "slipway/abi/component.h"
#include "slipway/abi/image_provider.h"
#include "slipway/abi/named_resources.h"
#include "slipway/abi/workspace.h"

namespace faulty {

/// Replace the functions of the object that have the fault; without such a fault, none.
void break_table(slipway_image_provider& images);
void break_table(slipway_named_resources& resources);
void break_table(slipway_components& components);
void break_table(slipway_workspace& workspace);

}  // namespace faulty
