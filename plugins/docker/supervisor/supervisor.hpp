// The event loop of one app's helper.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/scheduler/engine_events.hpp"
#include "plugins/docker/state/container.hpp"
#include "plugins/docker/supervisor/owner.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::docker {

/// Watches the app until nothing is left to do: it has ended, or is gone, or its owner gave it up.
/// Looks at the containers after each event, and keeps no state of its own about them. Not thread
/// safe.
class Supervisor {
 public:
  /// `link` leads to the command that submits the app (helper_link.hpp). Throws the engine's error.
  Supervisor(const Engine& engine, std::string app_id, OwnedFd owner, OwnedFd link);

  /// Reports over the link that this is ready, and returns when nothing is left to do.
  void run();

 private:
  enum class Phase {
    kLaunching,    ///< the command creates the containers
    kRunning,      ///< all have been started
    kTakingBack,   ///< the submission has failed, or the command has died in the middle of it
    kAlmostGone,   ///< the containers are removed; the engine may still create others
    kNothingLeft,  ///< the end
  };
  using Clock = std::chrono::steady_clock;

  void act();
  void look();
  void wait();
  int wait_ms() const;
  void read_link();
  std::vector<Container> containers() const;

  Engine engine_;
  std::string app_id_;
  Owner owner_;
  OwnedFd link_;
  EngineEvents events_;
  Phase phase_ = Phase::kLaunching;
  Clock::time_point quiet_until_;  // of kAlmostGone
  Clock::time_point next_order_;   // to cancel, after the owner's end
  Clock::time_point last_answer_ = Clock::now();
  std::chrono::seconds pause_{0};  // before the next try, after a failure
};

}  // namespace slipway::docker
