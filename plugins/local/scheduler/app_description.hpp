// Turns the engine's snapshots into the SDK's descriptions.
#pragma once

#include <vector>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/scheduler/record_details.hpp"
#include "slipway/log_targets.hpp"
#include "slipway/status.hpp"

namespace slipway::local {

Description describe(const AppSnapshot& app, const RecordDetails& details);
Description describe(const AppSummary& app);
ListItem list_item(const AppSummary& app);
/// Returns the roles of a snapshot that has every replica (Detail::kEach).
std::vector<RoleSize> role_sizes(const AppSnapshot& app);

}  // namespace slipway::local
