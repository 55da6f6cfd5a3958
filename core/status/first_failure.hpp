// Which replica an app failed by.
#pragma once

#include "slipway/status.hpp"

namespace slipway {

/// The replica that failed first, by time; nullptr when none failed. `role` is set with it. Both point into `app`.
const ReplicaStatus* first_failure(const Description& app, const RoleStatus** role);

}  // namespace slipway
