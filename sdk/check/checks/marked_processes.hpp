// Finds the processes of an app on this machine by a variable of their environment.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "slipway/app.hpp"

namespace slipway::check {

/// Adds the variable SLIPWAY_CHECK_MARK with the value `mark` to every role.
void mark_processes(AppDef& app, const std::string& mark);

/// Returns the processes of marked replicas, and those that they started. Empty if replicas run on
/// other machines, or as another user.
std::vector<pid_t> marked_processes(const std::string& mark);

}  // namespace slipway::check
