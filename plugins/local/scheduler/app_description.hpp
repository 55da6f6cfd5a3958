// From the engine's snapshots to the SDK's descriptions.
#pragma once

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/scheduler/error_file.hpp"
#include "slipway/status.hpp"

namespace slipway::local {

Description describe(const AppSnapshot& app, const ErrorFiles& errors);
Description describe(const AppSummary& app);
ListItem list_item(const AppSummary& app);

}  // namespace slipway::local
