// What the supervisor of an app does next.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "plugins/docker/state/app_progress.hpp"
#include "plugins/docker/state/start_conditions.hpp"

namespace slipway::docker {

/// The facts that the containers do not have.
struct Observed {
  /// Returns the nanoseconds since `since`. That is the time, by the engine's clock, at which the
  /// container, or the pause before its start, began. The result must not decrease when the wall
  /// clock is set back.
  std::function<std::int64_t(const Container&, std::int64_t since)> age;
  IsReady is_ready;
  /// Returns the nanoseconds since this helper began to probe the container; 0 if it has not begun.
  std::function<std::int64_t(const Container&)> time_since_first_probe;
  bool is_cancelled = false;  ///< whether the owner of the app has ended
};

struct Decision {
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  /// Gives the container the mark, and stops it if it runs.
  struct Stop {
    const Container* container;
    Mark mark;
  };
  /// Creates the container of a replica's next attempt.
  struct Attempt {
    const Container* previous;  ///< the container of the previous attempt
    Round round;
  };

  std::vector<Stop> stops;
  std::vector<Attempt> attempts;
  std::vector<const Container*> starts;  ///< created before, and due to start
  std::int64_t wait_ns = kNever;         ///< time after which the next decision is due
};

/// Decides what to do next. Uses only the arguments and keeps no state, so a successor, or a second
/// supervisor at the same time, decides the same. `progress` is that of an app that has not ended.
Decision decide(const AppRules& rules, const AppProgress& progress, const Observed& observed);

}  // namespace slipway::docker
