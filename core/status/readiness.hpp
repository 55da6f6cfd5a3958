// Whether a replica does its work already, as its scheduler has found.
#pragma once

#include <optional>

#include "slipway/status.hpp"

namespace slipway {

/// The member `ready` of what its scheduler tells of a replica besides the usual
/// (ReplicaStatus::details_json). Nothing: the scheduler does not say. Never fails. Thread safe.
std::optional<bool> readiness(const ReplicaStatus& replica);

}  // namespace slipway
