// Times of files and clocks in nanoseconds.
#pragma once

#include <cstdint>
#include <ctime>

namespace slipway::local {

inline std::int64_t ns(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// Returns the time of a clock (CLOCK_*). [any thread]
inline std::int64_t clock_ns(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return ns(now);
}

}  // namespace slipway::local
