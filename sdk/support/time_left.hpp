// The time that a call may still take.
#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "slipway/host.hpp"

namespace slipway {

/// Returns the time up to the deadline of the call, rounded up and at most `limit`; without a
/// deadline, `limit`. Returns 0 only at the deadline and after it, so that a caller that stops at 0
/// does not report SLIPWAY_E_TIMEOUT too early.
inline std::chrono::milliseconds time_left(const Call& call, std::chrono::milliseconds limit) {
  if (call.deadline_ns() == 0) return limit;
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t left =
      call.deadline_ns() - (static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec);
  const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(left));
  return std::clamp(rounded, std::chrono::milliseconds(0), limit);
}

}  // namespace slipway
