// Finds the replica of an app that failed first.
#pragma once

#include "slipway/status.hpp"

namespace slipway {

/// Returns the failed replica that ended first, and sets `*role` to its role; both point into
/// `app`. Of several that ended at the same time, returns the first in the app's order. Returns
/// nullptr and leaves `*role` unchanged if no replica failed.
const ReplicaStatus* first_failure(const Description& app, const RoleStatus** role);

}  // namespace slipway
