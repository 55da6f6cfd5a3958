// How long ago things happened, when the wall clock changes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace slipway::docker {

/// Reads the wall clock once for each event, and counts from then on without it.
class SteadyAges {
 public:
  /// Returns the nanoseconds since `since`, a time since the epoch, for something about `what`. The
  /// other two are the present times of the wall clock and of the steady clock.
  std::int64_t age(const std::string& what, std::int64_t since, std::int64_t wall_ns,
                   std::int64_t steady_ns) {
    const std::int64_t first = wall_ns > since ? wall_ns - since : 0;
    const auto seen = seen_.try_emplace({what, since}, steady_ns - first).first;
    return steady_ns - seen->second;
  }

 private:
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> seen_;  // when it happened, steady
};

}  // namespace slipway::docker
