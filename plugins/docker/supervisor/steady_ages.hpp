// How long ago things happened, even if the wall clock was set meanwhile. The steady clock
// (CLOCK_MONOTONIC) stops while the machine is suspended: after a suspension, ages lack its length,
// so time limits and back-offs end later by that much. A successor takes its first ages from the
// wall clock, and so includes earlier suspensions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace slipway::docker {

/// Uses the time of the wall clock only in the first call for an event, and from then on counts
/// with the steady clock.
class SteadyAges {
 public:
  /// Returns the nanoseconds since an event of the container at the time `since`, which counts from
  /// the epoch. `wall_ns` and `steady_ns` are the present times of the two clocks.
  std::int64_t age(const std::string& container_id, std::int64_t since, std::int64_t wall_ns,
                   std::int64_t steady_ns) {
    const std::int64_t first = wall_ns > since ? wall_ns - since : 0;
    const auto seen = seen_.try_emplace({container_id, since}, steady_ns - first).first;
    return steady_ns - seen->second;
  }

 private:
  // By container and time: the time of the event on the steady clock.
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> seen_;
};

}  // namespace slipway::docker
