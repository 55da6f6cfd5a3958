// Carrying out what was ordered after failures: who is started again, and when all is ready for it.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/local/supervisor/ending/kill_ladder.hpp"
#include "plugins/local/supervisor/ending/replica_stopper.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/record/rounds.hpp"
#include "plugins/local/supervisor/starting/start_queue.hpp"

namespace slipway::local {

/// A role starts again when none of its replicas of the round before runs any more; the app, when
/// none of its processes at all is left. Not thread safe.
class Restarts {
 public:
  Restarts(AppFiles& files, Replicas& replicas, Rounds& rounds, KillLadder& ladder,
           ReplicaStopper& stopper, StartQueue& queue)
      : files_(files),
        replicas_(replicas),
        rounds_(rounds),
        ladder_(ladder),
        stopper_(stopper),
        queue_(queue) {}

  /// Goes on where the predecessor stopped; what runs has been adopted.
  void resume();

  /// Replica `index`, in kEnded, waits for its next attempt.
  void retry_replica(std::uint32_t index, std::int64_t due_ns);
  /// Ends what runs of the role, or the app, and lets all of it begin again.
  void restart_role(std::uint32_t role, std::int64_t due_ns);
  void restart_app(std::int64_t due_ns);

  /// Looks whether a role has been left by all its old replicas. After each end.
  void advance();

  /// Lets the replicas of a restarted app wait for their starts, after all of its old processes
  /// have ended.
  void begin_app_round();

 private:
  void take_along(std::uint32_t role);
  void let_wait(std::uint32_t role);

  AppFiles& files_;
  Replicas& replicas_;
  Rounds& rounds_;
  KillLadder& ladder_;
  ReplicaStopper& stopper_;
  StartQueue& queue_;
  std::vector<std::uint32_t> awaited_;  // roles that begin again once they have been left
};

}  // namespace slipway::local
