// Turns an app and run options into the plan of its containers, without asking the engine.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plugins/docker/request/app_rules.hpp"
#include "plugins/docker/request/container_plan.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::docker {

/// The values on which a plan depends besides the app and the run options.
struct PlanPlace {
  std::string app_id;
  std::string session;
  std::string scheduler;
  StrList environment;  ///< "NAME=value" of this process, for `copy_env`
  /// Returns the device mounts of named devices, and appends unknown names to the list.
  std::function<std::vector<Mount>(const IntDict&, StrList&)> device_mounts;
};

/// Returns the name of the container: the last 30 characters of the app's id, whose end is unique,
/// the first 30 of the role's name, and the replica's number. Replaces characters that the engine
/// refuses with '_', and drops those before the first letter or digit.
std::string container_name(const std::string& app_id, const std::string& role,
                           std::int32_t replica);

/// Returns the fields of apps that the scheduler acts on with these options.
std::vector<AppField> acted_on(const DockerOptions& options);

/// Builds the plan. `rules` are those of the app. Calls `on_finding`, unless it is empty, for each
/// named device without known device files. Throws Error kInvalid for an app without roles, a role
/// without an image, memory whose number of bytes does not fit into 64 bits, a port 0 that a macro
/// names or that the engine would publish, and a plan in which two containers would have the same
/// name or publish the same port; kUnimplemented for an unknown kind of mount.
AppPlan build_plan(const AppDef& app, const DockerOptions& options, const AppRules& rules,
                   const PlanPlace& place, const Scheduler::OnFinding& on_finding);

}  // namespace slipway::docker
