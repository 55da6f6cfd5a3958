// Clocks, and the conversion of timespec. All times are in nanoseconds.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>

namespace slipway::local {

/// Returns `time`, such as that of a file, in nanoseconds.
constexpr std::int64_t ns(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// Returns the time of `clock`, such as CLOCK_MONOTONIC. Thread safe.
inline std::int64_t clock_ns(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return ns(now);
}

/// Returns the time since the epoch. An administrator may set this clock back.
inline std::int64_t realtime_ns() { return clock_ns(CLOCK_REALTIME); }

/// Returns the time since the boot of the machine, the same in every time namespace. Records hold
/// these times, because a successor may run in another time namespace. Thread safe.
std::int64_t boottime_ns();

/// Returns the offset that the time namespace of this process adds to CLOCK_BOOTTIME, usually 0.
/// Must be added to a boottime_ns() for the kernel, and subtracted from one that the kernel
/// reports. Thread safe.
std::int64_t boot_clock_offset();

}  // namespace slipway::local
