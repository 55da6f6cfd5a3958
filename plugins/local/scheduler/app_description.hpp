// Turns the engine's snapshots into the SDK's descriptions.
#pragma once

#include <vector>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/scheduler/record_details.hpp"
#include "slipway/log_targets.hpp"
#include "slipway/status.hpp"

namespace slipway::local {

/// Returns a description of the app that contains its roles and replicas.
Description describe(const AppSnapshot& app, const RecordDetails& details);
/// Returns a description of the app that contains no roles.
Description describe(const AppSummary& app);
/// Returns the line of a list about the app.
ListItem list_item(const AppSummary& app);
/// Returns the roles of a snapshot that has every replica (Detail::kEach).
std::vector<RoleSize> role_sizes(const AppSnapshot& app);

}  // namespace slipway::local
