// The time that a call may still take.
#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "slipway/host.hpp"

namespace slipway {

/// Returns the time up to the deadline of the call, at most `limit`; 0 after the deadline.
inline std::chrono::milliseconds time_left(const Call& call, std::chrono::milliseconds limit) {
  if (call.deadline_ns() == 0) return limit;
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t left =
      call.deadline_ns() - (static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec);
  return std::clamp(std::chrono::milliseconds(left / 1'000'000), std::chrono::milliseconds(0),
                    limit);
}

}  // namespace slipway
