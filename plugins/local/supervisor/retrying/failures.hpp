// Decides about failed replicas.
#pragma once

#include <cstdint>

#include "plugins/local/supervisor/ending/app_stopper.hpp"
#include "plugins/local/supervisor/probing/readiness.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/retrying/failure_rules.hpp"
#include "plugins/local/supervisor/retrying/restarts.hpp"
#include "plugins/local/supervisor/starting/dependencies.hpp"
#include "plugins/local/supervisor/starting/start_pause.hpp"

namespace slipway::local {

/// Judges failed replicas, and carries out each verdict at once: the replica, its role or the app
/// starts again, or the replica stays FAILED and may stop the app. Not thread safe.
class Failures {
 public:
  /// All must outlive this.
  Failures(AppFiles& files, Replicas& replicas, const FailureRules& rules, Restarts& restarts,
           Dependencies& dependencies, Readiness& readiness, StartPause& pause,
           AppStopper& app_stopper)
      : files_(files),
        replicas_(replicas),
        rules_(rules),
        restarts_(restarts),
        dependencies_(dependencies),
        readiness_(readiness),
        pause_(pause),
        app_stopper_(app_stopper) {}

  /// Decides all failures that await a verdict. If the disk has no room for another attempt, a
  /// failure that is to be retried waits for the next call, which judges it again. A failed replica
  /// that the restart of another includes needs no verdict.
  void decide();
  /// Fails the replicas that wait for a role that has failed or has ended before it was ready, and
  /// then those that wait for them. Ends early if such a failure stops the app.
  void fail_dependents();

 private:
  void decide_in_stop(std::uint32_t index);
  void carry_out(Verdict verdict, std::uint32_t index);
  void fail_for_good(std::uint32_t index);
  void stop_app_if_role_failed(std::uint32_t index);

  AppFiles& files_;
  Replicas& replicas_;
  const FailureRules& rules_;
  Restarts& restarts_;
  Dependencies& dependencies_;
  Readiness& readiness_;
  StartPause& pause_;
  AppStopper& app_stopper_;
};

}  // namespace slipway::local
