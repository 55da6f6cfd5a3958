// ReplicaNeeds as bytes of a plan.
#pragma once

#include "plugins/local/engine/plan_bytes.hpp"
#include "plugins/local/engine/replica_needs.hpp"

namespace slipway::local {

/// At least that many bytes are written for each.
inline constexpr std::size_t kLeastNeeds = 92;

void write_needs(PlanWriter& out, const ReplicaNeeds& needs);
/// Throws kInvalid like every PlanReader; validate_plan checks the values.
ReplicaNeeds read_needs(PlanReader& in);

}  // namespace slipway::local
