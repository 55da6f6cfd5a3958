// A deadline as poll() wants it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace slipway {

/// The milliseconds until `deadline`, rounded up so that a loop never spins through the last one; 0
/// once it has passed, -1 (for ever) without one. At most a day, which is less than what an int
/// holds: after that a loop looks again. Thread safe.
inline int poll_timeout(const std::optional<std::chrono::steady_clock::time_point>& deadline) {
  if (!deadline) return -1;
  constexpr std::int64_t kLongest = 24 * 3600 * 1000;
  const std::int64_t left =
      std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now())
          .count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, kLongest));
}

/// The earlier of two times; none where neither is set.
inline std::optional<std::chrono::steady_clock::time_point> earliest(
    const std::optional<std::chrono::steady_clock::time_point>& a,
    const std::optional<std::chrono::steady_clock::time_point>& b) {
  if (a && b) return std::min(*a, *b);
  return a ? a : b;
}

}  // namespace slipway
