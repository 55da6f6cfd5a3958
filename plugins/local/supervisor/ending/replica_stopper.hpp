// Ending single replicas while the app goes on: those that ran too long, or are started again.
#pragma once

#include <cstdint>

#include "plugins/local/supervisor/ending/kill_ladder.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/timing/due_queue.hpp"

namespace slipway::local {

/// SIGTERM, the app's grace time, SIGKILL, to a replica's process group. A successor begins anew.
/// Not thread safe.
class ReplicaStopper {
 public:
  ReplicaStopper(AppFiles& files, const Replicas& replicas, KillLadder& ladder)
      : files_(files), replicas_(replicas), ladder_(ladder) {}

  /// The replica must be running.
  void stop(std::uint32_t index);
  /// When SIGKILL is next due; kNever when it is not.
  std::int64_t next_due();
  /// Sends what is due at `now_ns`.
  void on_time(std::int64_t now_ns);

 private:
  const Due* first();

  AppFiles& files_;
  const Replicas& replicas_;
  KillLadder& ladder_;
  DueQueue kills_;
};

}  // namespace slipway::local
