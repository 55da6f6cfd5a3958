// Reads from a status whether a replica is ready.
#pragma once

#include <optional>

#include "slipway/status.hpp"

namespace slipway {

/// Returns the member `ready` of the scheduler's details about a replica
/// (ReplicaStatus::details_json), or nullopt if the scheduler does not report it. Never throws.
/// Thread safe.
std::optional<bool> readiness(const ReplicaStatus& replica);

}  // namespace slipway
