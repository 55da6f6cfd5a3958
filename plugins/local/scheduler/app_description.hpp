// From the engine's snapshots to the SDK's descriptions.
#pragma once

#include <vector>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/scheduler/error_file.hpp"
#include "slipway/log_targets.hpp"
#include "slipway/status.hpp"

namespace slipway::local {

Description describe(const AppSnapshot& app, const ErrorFiles& errors);
Description describe(const AppSummary& app);
ListItem list_item(const AppSummary& app);
/// The roles of a snapshot with every replica (Detail::kEach).
std::vector<RoleSize> role_sizes(const AppSnapshot& app);

}  // namespace slipway::local
