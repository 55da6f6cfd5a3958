// Reaps the supervisor's children.
#pragma once

#include "plugins/local/supervisor/ending/kill_ladder.hpp"
#include "plugins/local/supervisor/probing/readiness.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/recovering/orphans.hpp"
#include "plugins/local/supervisor/starting/start_pause.hpp"

namespace slipway::local {

/// Reaps children. The end of a replica is in the record before the replica is reaped, so no death
/// of the supervisor loses an exit status. A child that is neither a replica nor a probe command is
/// a stray (kill_ladder.hpp): a replica left it behind. Not thread safe.
class Reaper {
 public:
  /// All must outlive this. `is_successor`: children of a predecessor's probe commands may arrive.
  Reaper(Replicas& replicas, Readiness& readiness, Orphans& orphans, KillLadder& ladder,
         StartPause& pause, bool is_successor)
      : replicas_(replicas),
        readiness_(readiness),
        orphans_(orphans),
        ladder_(ladder),
        pause_(pause),
        is_successor_(is_successor) {}

  /// Records and reaps the children that have ended. Returns whether children are left.
  bool reap();
  /// Returns whether every process of the app has ended. Ends strays once no replica is left.
  bool all_gone();
  /// Kills the processes that an earlier round of the app (rounds.hpp) left behind, when none of
  /// its replicas runs any more. Returns whether all of them have ended.
  bool clear_old_round();
  /// Returns whether strays may have written to logs after their replicas had ended.
  bool had_strays() const { return had_strays_; }

 private:
  Replicas& replicas_;
  Readiness& readiness_;
  Orphans& orphans_;
  KillLadder& ladder_;
  StartPause& pause_;
  const bool is_successor_;
  bool had_strays_ = false;
};

}  // namespace slipway::local
