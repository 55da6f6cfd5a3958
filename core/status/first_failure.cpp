#include "core/status/first_failure.hpp"

#include <limits>

namespace slipway {

const ReplicaStatus* first_failure(const Description& app, const RoleStatus** role) {
  const ReplicaStatus* first = nullptr;
  std::int64_t earliest = std::numeric_limits<std::int64_t>::max();
  for (const RoleStatus& candidate : app.roles) {
    for (const ReplicaStatus& replica : candidate.replicas) {
      if (replica.state != AppState::kFailed) continue;
      // A replica without an end time comes after all others.
      const std::int64_t when =
          replica.finished_at.value_or(std::numeric_limits<std::int64_t>::max());
      if (first != nullptr && when >= earliest) continue;
      first = &replica;
      earliest = when;
      *role = &candidate;
    }
  }
  return first;
}

}  // namespace slipway
