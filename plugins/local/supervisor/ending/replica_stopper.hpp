// Stops single replicas while the app continues.
#pragma once

#include <cstdint>

#include "plugins/local/supervisor/ending/kill_ladder.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/timing/due_queue.hpp"

namespace slipway::local {

/// Sends SIGTERM to a replica's process group and, after the app's grace time, SIGKILL. A successor
/// starts the sequence again. Not thread safe.
class ReplicaStopper {
 public:
  ReplicaStopper(AppFiles& files, const Replicas& replicas, KillLadder& ladder)
      : files_(files), replicas_(replicas), ladder_(ladder) {}

  /// Begins to stop a running replica.
  void stop(std::uint32_t index);
  /// Returns when the next SIGKILL is due; kNever if none is.
  std::int64_t next_due();
  /// Sends the signals that are due at `now_ns`.
  void on_time(std::int64_t now_ns);

 private:
  const Due* first();

  AppFiles& files_;
  const Replicas& replicas_;
  KillLadder& ladder_;
  DueQueue kills_;
};

}  // namespace slipway::local
