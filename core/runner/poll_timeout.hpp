// Deadlines, and timeouts of poll().
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace slipway {

/// Returns the milliseconds until `deadline`, rounded up so that a loop does not spin during the
/// last one; 0 if it has passed; -1 (no timeout) if there is none. Returns at most one day, which
/// fits into an int, so callers must check the deadline after poll(). Thread-safe.
inline int poll_timeout(const std::optional<std::chrono::steady_clock::time_point>& deadline) {
  if (!deadline) return -1;
  constexpr std::int64_t kLongest = 24 * 3600 * 1000;
  const std::int64_t left =
      std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now())
          .count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, kLongest));
}

/// Returns the time after a pause from now on, or the clock's last time if the pause ends later. A
/// negative pause counts as none. Thread-safe.
inline std::chrono::steady_clock::time_point time_after(std::chrono::milliseconds pause) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point now = Clock::now();
  const auto longest =
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::time_point::max() - now);
  if (pause > longest) return Clock::time_point::max();
  return now + std::max(pause, std::chrono::milliseconds(0));
}

/// Returns the earlier of two optional times, or nullopt if neither is set. `Time` is a point in
/// time or a duration.
template <class Time>
std::optional<Time> earliest(const std::optional<Time>& a,
                             const std::type_identity_t<std::optional<Time>>& b) {
  if (a && b) return std::min(*a, *b);
  return a ? a : b;
}

}  // namespace slipway
