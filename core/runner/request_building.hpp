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

/// Calls the `pre_proc` of each role that has one, in the order of the roles, and applies the patch
/// that it returns. A later role sees the changes of earlier ones, as with TorchX's
/// `Role.pre_proc`. Throws the exception of a pre_proc, and an Error with the role's name
/// (kInvalid, kUnimplemented) if a patch cannot be applied.
void apply_pre_procs(const AppDef& app, const std::string& scheduler, AppRequest& request);

/// Returns the scheduler's request for an app whose image, the copy of the workspace, does not
/// exist yet. If the scheduler refuses the app, passes it existing_directory_for() as the image.
AppRequest request_before_copy(const registry::PluginScheduler& target, const AppDef& app,
                               const AppWorkspace& workspace, const Cfg& cfg,
                               std::vector<Finding>& findings);

/// Submits the request of the dry run. With a workspace, first makes the copies, builds the request
/// again for them, and calls the pre_procs for it. Borrows `cancel`, which may be null. An error
/// means the same as one of Runner::schedule().
Submission submit_dry_run(registry::PluginHost& plugins, const registry::PluginScheduler& target,
                          const AppDryRun& dryrun, const ScheduleOptions& options,
                          const slipway_cancel* cancel);

}  // namespace slipway
