// Retries and restarts of replicas, roles and the app.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/local/supervisor/ending/kill_ladder.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/record/rounds.hpp"
#include "plugins/local/supervisor/starting/start_queue.hpp"

namespace slipway::local {

/// Starts replicas again, alone or with their role or app. A restarted role starts when all old
/// attempts of its replicas have ended; a restarted app, when all of its old processes have ended.
/// Not thread safe.
class Restarts {
 public:
  /// All must outlive this.
  Restarts(AppFiles& files, Replicas& replicas, Rounds& rounds, KillLadder& ladder,
           StartQueue& queue)
      : files_(files), replicas_(replicas), rounds_(rounds), ladder_(ladder), queue_(queue) {}

  /// Continues the restarts that a predecessor ordered, after the take-over of running replicas.
  void resume();

  /// Lets replica `index`, in kEnded, wait for its next attempt.
  void retry_replica(std::uint32_t index, std::int64_t due_ns);
  /// Stops the running replicas of the role, or of the app, and lets all of them start again.
  void restart_role(std::uint32_t role, std::int64_t due_ns);
  void restart_app(std::int64_t due_ns);

  /// Queues the roles whose old attempts have ended. Must be called after replicas have ended.
  void advance();

  /// Lets the replicas of a restarted app wait for their starts, after all of its old processes
  /// have ended.
  void begin_app_round();

 private:
  void bring_into_round(std::uint32_t role);
  void queue_replicas(std::uint32_t role);

  AppFiles& files_;
  Replicas& replicas_;
  Rounds& rounds_;
  KillLadder& ladder_;
  StartQueue& queue_;
  std::vector<std::uint32_t> awaited_;  // restarted roles whose old attempts may still run
};

}  // namespace slipway::local
