// Finds the replica that made an app fail.
#pragma once

#include "slipway/status.hpp"

namespace slipway {

/// Returns the replica that failed first, by time, and sets `role` to its role; both point into
/// `app`. Returns nullptr if none failed.
const ReplicaStatus* first_failure(const Description& app, const RoleStatus** role);

}  // namespace slipway
