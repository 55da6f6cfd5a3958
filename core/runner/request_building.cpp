#include "core/runner/request_building.hpp"

#include "core/runner/workspace.hpp"
#include "slipway/error.hpp"

namespace slipway {

namespace {

/// Calls the `pre_proc` of each role that has one, in the order of the roles, and applies the patch
/// that it returns. A later role sees the changes of earlier ones, as with TorchX's
/// `Role.pre_proc`. Throws the exception of a pre_proc, and an Error with the role's name
/// (kInvalid, kUnimplemented) if a patch cannot be applied.
void apply_pre_procs(const AppDef& app, const std::string& scheduler, AppRequest& request) {
  for (const Role& role : app.roles) {
    if (!role.pre_proc) continue;
    const std::string patch = role.pre_proc(scheduler, request.json());
    if (patch.empty()) continue;
    try {
      request.patch(patch);
    } catch (const Error& error) {
      throw Error(error.code(), "pre_proc of role " + role.name + ": " + error.message(),
                  error.hint(), error.where())
          .with_details(error.details());
    }
  }
}

}  // namespace

void require_resources(const AppDef& app, const std::string& scheduler) {
  std::string missing;
  for (const Role& role : app.roles) {
    if (role.resource.is_null()) missing += (missing.empty() ? "" : ", ") + role.name;
  }
  if (missing.empty()) return;
  throw Error(Code::kInvalid,
              "no resource for role " + missing + ", which the scheduler " + scheduler + " needs",
              "give it one, by name or as { cpu = 1, gpu = 0, memMB = 1024 }");
}

AppRequest make_request(const registry::PluginScheduler& target, const AppDef& app, const Cfg& cfg,
                        std::vector<Finding>& findings) {
  AppRequest request = target.submit_dryrun(app, cfg, findings);
  apply_pre_procs(app, target.name(), request);
  return request;
}

AppRequest request_before_copy(const registry::PluginScheduler& target, const AppDef& app,
                               const AppWorkspace& workspace, const Cfg& cfg,
                               std::vector<Finding>& findings) {
  const std::vector<Finding> earlier_findings = findings;
  try {
    return make_request(target, app, cfg, findings);
  } catch (const Error& error) {
    // Other codes do not say that the image is missing.
    if (error.code() != Code::kInvalid && error.code() != Code::kNotFound) throw;
    findings = earlier_findings;
    return make_request(target, with_image(app, existing_directory_for(workspace)), cfg, findings);
  }
}

namespace {

/// Returns whether the app may exist, and need its workspace, although schedule() failed: the
/// outcome is unknown, or the plug-in broke its contract or failed in an undefined way.
bool may_have_started(const Error& error) {
  return error.code() == Code::kOutcomeUnknown || error.code() == Code::kAbi ||
         error.code() == Code::kInternal;
}

}  // namespace

Submission submit_dry_run(registry::PluginHost& plugins, const registry::PluginScheduler& target,
                          const AppDryRun& dryrun, const ScheduleOptions& options,
                          const slipway_cancel* cancel) {
  if (!dryrun.workspace) return target.schedule(dryrun.request, options, cancel);
  build_workspace(plugins, dryrun.scheduler, *dryrun.workspace, cancel);
  bool has_request = false;
  try {
    // The request of the dry run may have another image; see request_before_copy().
    std::vector<Finding> ignored;  // Runner::dryrun() has reported the same findings
    const AppRequest request = make_request(target, dryrun.app, dryrun.cfg, ignored);
    has_request = true;
    return target.schedule(request, options, cancel);
  } catch (const Error& error) {
    if (!has_request || !may_have_started(error)) discard_workspace(plugins, *dryrun.workspace);
    throw;
  } catch (...) {
    discard_workspace(plugins, *dryrun.workspace);
    throw;
  }
}

}  // namespace slipway
