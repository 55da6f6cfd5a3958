// The event loop of one app's helper.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/state/container.hpp"
#include "plugins/docker/state/engine_events.hpp"
#include "plugins/docker/state/helper_presence.hpp"
#include "plugins/docker/state/readiness_report.hpp"
#include "plugins/docker/state/submitter_files.hpp"
#include "plugins/docker/supervisor/actions.hpp"
#include "plugins/docker/supervisor/owner.hpp"
#include "plugins/docker/supervisor/probes.hpp"
#include "plugins/docker/supervisor/steady_ages.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::docker {

/// Why the helper was started.
enum class HelperStart {
  kLaunch,   ///< a command creates the app and reports over the link (helper_link.hpp)
  kRecover,  ///< the app exists, and its helper has died
};

/// Acts for the app until it has ended or was removed, until its owner has given it up and the
/// engine can do the rest, or until the engine has not answered for an hour. Decides after each
/// event from the engine's containers, and keeps no state of its own about them. Not thread-safe.
class Supervisor {
 public:
  /// Subscribes to the engine's events. Throws the engine's error.
  Supervisor(const Engine& engine, std::string app_id, HelperStart start, SubmitterFiles files,
             HelperClaim claim, OwnedFd owner, OwnedFd link);

  /// Reports over the link that the helper is ready, and returns when nothing is left to do.
  void run();

 private:
  enum class Phase {
    kLaunching,    ///< the command creates the containers
    kRunning,      ///< the command has submitted the app
    kTakingBack,   ///< the submission has failed, or the command has died in the middle of it
    kAlmostGone,   ///< the containers are removed; the engine may still create others
    kNothingLeft,  ///< the helper ends
  };
  using Clock = std::chrono::steady_clock;

  /// Does what the phase requires.
  void act();
  bool engine_answers() const;
  /// Reads the app's containers, and does what they require.
  void look();
  void end(const std::vector<Container>& all);
  void supervise(const AppRules& rules, const AppProgress& progress);
  void wait();
  Clock::time_point wait_limit() const;
  int wait_ms() const;
  void read_link();
  std::vector<Container> containers();

  Engine engine_;
  std::string app_id_;
  SubmitterFiles files_;
  HelperClaim claim_;
  ReadinessReport readiness_;
  Owner owner_;
  OwnedFd link_;  // to the command that submits the app; none later
  EngineEvents events_;
  Actions actions_;
  Probes probes_;
  SteadyAges ages_;
  std::map<std::string, Container> ended_;  // by id: inspected containers; only names change later
  HelperStart start_;
  Phase phase_;
  Clock::time_point quiet_until_;                           // the end of kAlmostGone
  Clock::time_point next_look_ = Clock::time_point::max();  // when look() is due without an event
  std::optional<Clock::time_point> failing_since_;          // the first failure of act() in a row
  Clock::time_point accept_again_at_;  // later than now: no descriptor was left
  Clock::time_point failed_at_;        // the last failure of act(), if `pause_` is not 0
  std::chrono::seconds pause_{0};      // before the next try, after a failure
};

}  // namespace slipway::docker
