// Builds the request of an app, and submits it.
#pragma once

#include <string>
#include <vector>

#include "core/registry/plugin_host.hpp"
#include "slipway/app.hpp"
#include "slipway/app_request.hpp"
#include "slipway/app_workspace.hpp"
#include "slipway/runner.hpp"
#include "slipway/scheduler.hpp"

namespace slipway {

/// Throws Error kInvalid if a role has no resource, as TorchX's `_validate` does. `scheduler` is
/// the name of a scheduler that needs one.
void require_resources(const AppDef& app, const std::string& scheduler);

/// Returns the request of `app`, changed by the `pre_proc` of its roles, and appends the
/// scheduler's findings to `findings`. Also throws what a `pre_proc` throws.
AppRequest make_request(const registry::PluginScheduler& target, const AppDef& app, const Cfg& cfg,
                        std::vector<Finding>& findings);

/// Returns the request for an app whose image, the copy of the workspace, does not exist yet. If
/// the scheduler refuses the missing image, passes it existing_directory_for() as the image.
AppRequest request_before_copy(const registry::PluginScheduler& target, const AppDef& app,
                               const AppWorkspace& workspace, const Cfg& cfg,
                               std::vector<Finding>& findings);

/// Submits the request of the dry run. With a workspace, first makes the copies, and builds the
/// request again for them. Borrows `cancel`, which may be null. After an error nothing was started
/// and no copy is left, except after kOutcomeUnknown: then the app may exist, so its copy stays.
Submission submit_dry_run(registry::PluginHost& plugins, const registry::PluginScheduler& target,
                          const AppDryRun& dryrun, const ScheduleOptions& options,
                          const slipway_cancel* cancel);

}  // namespace slipway
