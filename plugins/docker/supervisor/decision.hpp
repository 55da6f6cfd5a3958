// What the supervisor of an app does next.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "plugins/docker/state/app_progress.hpp"
#include "plugins/docker/state/start_conditions.hpp"

namespace slipway::docker {

/// What is known besides the containers.
struct Observed {
  /// Returns the nanoseconds since `since`, a time of the engine, for something about the
  /// container. It must not go back when the wall clock does.
  std::function<std::int64_t(const Container&, std::int64_t since)> age;
  IsReady is_ready;
  bool is_cancelled = false;  ///< the owner of the app has ended
};

struct Decision {
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  /// Gives the container the mark, and stops it if it runs.
  struct Stop {
    const Container* container;
    Mark mark;
  };
  /// Creates the next attempt of a replica, after this container.
  struct Attempt {
    const Container* after;
    Round round;
  };

  std::vector<Stop> stops;
  std::vector<Attempt> attempts;
  std::vector<const Container*> starts;
  std::int64_t wait_ns = kNever;  ///< time after which the next decision is due
};

/// Decides by the containers and the rules alone, so a successor decides alike, and two supervisors
/// at the same time decide the same. `progress` is that of an app that has not ended.
Decision decide(const AppRules& rules, const AppProgress& progress, const Observed& observed);

}  // namespace slipway::docker
