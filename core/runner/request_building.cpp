#include "core/runner/request_building.hpp"

#include <optional>

#include "core/runner/workspace.hpp"
#include "slipway/error.hpp"

namespace slipway {

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

AppRequest request_before_copy(const registry::PluginScheduler& target, const AppDef& app,
                               const AppWorkspace& workspace, const Cfg& cfg,
                               std::vector<Finding>& findings) {
  const std::vector<Finding> earlier_findings = findings;
  try {
    return target.submit_dryrun(app, cfg, findings);
  } catch (const Error& error) {
    // Other codes do not say that the image is missing.
    if (error.code() != Code::kInvalid && error.code() != Code::kNotFound) throw;
    findings = earlier_findings;
    return target.submit_dryrun(with_image(app, existing_directory_for(workspace)), cfg, findings);
  }
}

namespace {

/// Returns whether the app may exist, and need its workspace, although schedule() failed. The
/// public Runner::schedule() documents the codes.
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
  std::optional<AppRequest> request;
  try {
    // The request of the dry run may have another image; see request_before_copy().
    std::vector<Finding> ignored;  // Runner::dryrun() has reported the same findings
    request = target.submit_dryrun(dryrun.app, dryrun.cfg, ignored);
    apply_pre_procs(dryrun.app, target.name(), *request);
  } catch (...) {
    discard_workspace(plugins, *dryrun.workspace);
    throw;
  }
  try {
    return target.schedule(*request, options, cancel);
  } catch (const Error& error) {
    if (!may_have_started(error)) discard_workspace(plugins, *dryrun.workspace);
    throw;
  }
}

}  // namespace slipway
