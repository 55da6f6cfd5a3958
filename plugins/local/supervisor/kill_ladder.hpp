// How running replicas, and everything they have started, are made to end.
#pragma once

#include <cstdint>

#include "plugins/local/engine/owned_fd.hpp"
#include "plugins/local/supervisor/foreign_replicas.hpp"
#include "plugins/local/supervisor/replicas.hpp"

namespace slipway::local {

/// SIGTERM, a time of grace, SIGKILL; never to a pid that was reaped. Not thread safe.
class KillLadder {
 public:
  /// Throws kUnavailable when there is no descriptor for a timer.
  KillLadder(Replicas& replicas, ForeignReplicas& foreign);

  /// For the event loop: the end of the grace time.
  int event_fd() const { return timer_.get(); }
  void on_event();

  /// SIGTERM and SIGCONT to the process group of every running replica, and to every descendant
  /// outside of these groups.
  void terminate();
  /// kill_all() in `ms` milliseconds (of CLOCK_BOOTTIME), at once when 0. Replaces an earlier time.
  void arm(std::int64_t ms);
  /// SIGKILL to all of them now. From then on killing() is true.
  void kill_all();
  bool killing() const { return killing_; }
  /// SIGKILL to our children that are no replicas: what was orphaned since the last look.
  void kill_own_strays();

 private:
  void signal_all(int signal);

  Replicas& replicas_;
  ForeignReplicas& foreign_;
  OwnedFd timer_;
  bool killing_ = false;
};

}  // namespace slipway::local
