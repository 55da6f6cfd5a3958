// Converts deadlines to timeouts of poll().
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

/// Returns the earlier of two optional times, or nullopt if neither is set. `Time` is a point in
/// time or a duration.
template <class Time>
std::optional<Time> earliest(const std::optional<Time>& a,
                             const std::type_identity_t<std::optional<Time>>& b) {
  if (a && b) return std::min(*a, *b);
  return a ? a : b;
}

}  // namespace slipway
