// Starts the replicas whose turn has come.
#pragma once

#include <sys/resource.h>

#include <optional>
#include <string>

#include "plugins/local/supervisor/ending/app_stopper.hpp"
#include "plugins/local/supervisor/ending/time_limits.hpp"
#include "plugins/local/supervisor/probing/readiness.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"
#include "plugins/local/supervisor/record/rounds.hpp"
#include "plugins/local/supervisor/starting/dependencies.hpp"
#include "plugins/local/supervisor/starting/gpu_lease.hpp"
#include "plugins/local/supervisor/starting/launcher.hpp"
#include "plugins/local/supervisor/starting/start_pause.hpp"
#include "plugins/local/supervisor/starting/start_queue.hpp"

namespace slipway::local {

/// Starts replicas. The app becomes RUNNING after its GPUs are leased and every program was found,
/// and before the first replica starts. No start is under way between two calls. Not thread safe.
class Starter {
 public:
  /// The parts that a starter uses; all must outlive it.
  struct Parts {
    AppFiles& files;
    Replicas& replicas;
    const Rounds& rounds;
    Dependencies& dependencies;
    StartQueue& queue;
    StartPause& pause;
    TimeLimits& limits;
    Readiness& readiness;
    AppStopper& app_stopper;
  };
  /// `gpus` and `cgroups` must outlive the starter. `open_files` is RLIMIT_NOFILE for the replicas,
  /// if the supervisor has raised its own.
  Starter(const Parts& parts, GpuLease& gpus, ReplicaCgroups& cgroups,
          const std::optional<rlimit>& open_files)
      : parts_(parts), gpus_(gpus), launcher_(parts.files, gpus, cgroups, open_files) {}

  /// Returns whether nothing forbids starts: no pause, no stop, and no restart of the app whose
  /// old processes may still run.
  bool may_start() const;
  /// Returns whether start_some() has something to start now.
  bool has_more() { return may_start() && parts_.queue.next() != kNoReplica; }
  /// Starts at most 32 replicas, so that the caller can look at its events between two calls. Only
  /// some of the starts are under way at the same time (Launcher). Stops the app if a replica can
  /// never start.
  void start_some();
  /// Writes the journal line of the app's start. start_some() calls it. A successor calls it again,
  /// because its predecessor may have died before it wrote the line.
  void journal_running();

 private:
  bool lease_gpus();
  void begin_app();
  void finish_starts();
  void start_failed(Launcher::Outcome outcome, const StartFailure& failure);
  void fail_app(const StartFailure& failure);

  Parts parts_;
  GpuLease& gpus_;
  Launcher launcher_;
  std::string gpu_shortage_;  // the app's message while it waits in lease_gpus()
  bool has_begun_ = false;    // the GPUs are leased, and begin_app() was called
};

}  // namespace slipway::local
