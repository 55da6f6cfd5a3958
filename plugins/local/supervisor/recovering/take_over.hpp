// The work of a successor before it enters the event loop.
#pragma once

#include "plugins/local/supervisor/ending/app_stopper.hpp"
#include "plugins/local/supervisor/ending/kill_ladder.hpp"
#include "plugins/local/supervisor/ending/time_limits.hpp"
#include "plugins/local/supervisor/probing/readiness.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/recovering/orphans.hpp"
#include "plugins/local/supervisor/retrying/restarts.hpp"
#include "plugins/local/supervisor/starting/gpu_lease.hpp"

namespace slipway::local {

/// The take-over of an app by a successor. Afterwards every recorded replica is supervised, ended
/// or waiting, and a stop or restart that the predecessor recorded is under way again. The
/// take-over decides from the record alone, so a successor that dies within it leaves the same work
/// to the next one. Not thread safe.
class TakeOver {
 public:
  /// The parts that a take-over uses; all must outlive it.
  struct Parts {
    AppFiles& files;
    Replicas& replicas;
    Orphans& orphans;
    TimeLimits& limits;
    Readiness& readiness;
    KillLadder& ladder;
    AppStopper& app_stopper;
    Restarts& restarts;
    GpuLease& gpus;
  };
  /// `is_warden`: this process was the warden and has inherited its supervisor's children.
  /// `both_died`: for some time neither supervisor nor warden lived.
  TakeOver(const Parts& parts, bool is_warden, bool both_died)
      : parts_(parts), is_warden_(is_warden), both_died_(both_died) {}

  /// Takes the app over. After a restart of the machine, records every unfinished replica as
  /// lost. Throws as Orphans::take_over() does.
  void run();

 private:
  void take_over_replicas();
  void take_over_replica(std::uint32_t index, bool all_are_children);
  bool take_back_promise(std::uint32_t index);
  void cancel_if_unwatched();

  Parts parts_;
  bool is_warden_;
  bool both_died_;
};

}  // namespace slipway::local
