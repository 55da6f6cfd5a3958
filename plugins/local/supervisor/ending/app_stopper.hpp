// Stops the app before its end.
#pragma once

#include <cstdint>
#include <string_view>

#include "plugins/local/supervisor/ending/kill_ladder.hpp"
#include "plugins/local/supervisor/probing/readiness.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/starting/start_pause.hpp"

namespace slipway::local {

/// Stops all replicas. The cause and the grace time are in the record before the first signal is
/// sent, so a successor continues the same stop. The first request decides the cause; a later one
/// may only shorten the grace time. Does not stop an app whose replicas have all ended. If only
/// services are left, the final state of the app is decided, and a request only makes the services
/// end sooner; a successor does not know of such a request. kSpawnFailed stops the app even then,
/// because the replica that cannot start may be the last one of the work. Not thread safe.
class AppStopper {
 public:
  /// All must outlive this.
  AppStopper(AppFiles& files, Replicas& replicas, KillLadder& ladder, Readiness& readiness,
             StartPause& pause)
      : files_(files), replicas_(replicas), ladder_(ladder), readiness_(readiness), pause_(pause) {}

  /// Stops the app with the grace times of its launch plan. `message` becomes the app's message
  /// unless it is empty, the app is being stopped already, or the request only makes services end
  /// sooner.
  void stop(StopCause cause, std::string_view message);
  /// Cancels the app with a grace time of `grace_ms` for all roles, or kGraceOfRoles.
  void cancel(std::int64_t grace_ms, std::string_view message);
  /// Cancels the app with SIGKILL at once.
  void cancel_now(std::string_view message);

  /// Continues the stop that a predecessor recorded; there must be one.
  void resume();
  /// Writes the journal line of the stop. A successor repeats it, because its predecessor may have
  /// died before it wrote the line.
  void journal_stop();

 private:
  /// Whether processes get their grace time.
  enum class Pace { kGrace, kNow };
  void stop(StopCause cause, std::int64_t grace_ms, Pace pace, std::string_view message);
  void begin(StopCause cause, std::string_view message);

  AppFiles& files_;
  Replicas& replicas_;
  KillLadder& ladder_;
  Readiness& readiness_;
  StartPause& pause_;
};

}  // namespace slipway::local
