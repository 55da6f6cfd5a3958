// The environment variables that the runner adds to every replica. Names and meanings are TorchX's.
#pragma once

#include <string>
#include <vector>

#include "slipway/app.hpp"
#include "slipway/tracker.hpp"

namespace slipway {

/// Sets the variables of a run in every role, replacing values of the role. TORCHX_JOB_ID is
/// `<scheduler>://<session>/${app_id}`. TORCHX_INTERNAL_SESSION_ID is the value of this process's
/// variable, or a random one for this process. TORCHX_PARENT_RUN_ID is the value of this process's
/// variable, or `parent_run_id`; if both are empty, it is not set.
void add_run_variables(AppDef& app, const std::string& scheduler, const std::string& session,
                       const std::string& parent_run_id);

/// Removes TORCHX_JOB_ID and TORCHX_INTERNAL_SESSION_ID from every role, so that a description
/// shows the app as it was before its run. Keeps TORCHX_PARENT_RUN_ID, because the app file may
/// have set it.
void remove_run_variables(AppDef& app);

/// Returns the trackers of this process: those in its variable TORCHX_TRACKERS (`a,b`; an empty one
/// means none), or `configured` if that is not set. A tracker in the variable has the config of the
/// tracker of that name in `configured`, if there is one. The variable
/// `TORCHX_TRACKER_<NAME>_CONFIG` of this process, with the name in upper case (ASCII), overrides
/// the config.
std::vector<Tracker> active_trackers(const std::vector<Tracker>& configured);

/// Sets TORCHX_TRACKERS, and the variable of each tracker that has a config, in every role,
/// replacing values of the role. Without trackers, sets nothing.
void add_trackers(AppDef& app, const std::vector<Tracker>& trackers);

}  // namespace slipway
