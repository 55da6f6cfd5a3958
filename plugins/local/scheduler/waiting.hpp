// What pending replicas wait for, in words that follow "waits for".
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/plan.hpp"

namespace slipway::local {

/// Returns for each role what keeps its replicas from their first attempt: "db to succeed and cache
/// to be healthy", or a free slot of `max_parallel`. Roles that wait for nothing known are
/// missing. Applies the supervisor's conditions (supervisor/starting/dependencies.hpp) to the
/// states in `app`, which may be older than those that the supervisor has.
std::map<std::string, std::string> waits_of(const LaunchPlan& plan, const AppSnapshot& app);

/// What a replica waits for.
struct Wait {
  std::string text;         ///< "the next attempt, in 28 s"; empty: not known
  std::int64_t end_ns = 0;  ///< the time of the next attempt, since the epoch; 0: not known
};

/// Returns the pause that keeps the replica from its next attempt; without a text if it is over or
/// there is none.
Wait pause_of(const ReplicaSnapshot& replica);

}  // namespace slipway::local
