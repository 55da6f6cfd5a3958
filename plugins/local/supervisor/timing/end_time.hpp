// The wall-clock time of an end.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plugins/local/engine/clocks.hpp"

namespace slipway::local {

/// Returns the time of the wall clock. If the clock was set back since the start, returns the start
/// plus the time that has passed. `started_ns` is of CLOCK_REALTIME, `started_boot_ns` of
/// CLOCK_BOOTTIME; 0: unknown. If one is unknown, returns the later of the wall clock's time and
/// `started_ns`.
inline std::int64_t end_time(std::int64_t started_ns, std::int64_t started_boot_ns) {
  if (started_ns == 0 || started_boot_ns == 0) return std::max(realtime_ns(), started_ns);
  // A restart of the machine sets CLOCK_BOOTTIME back to zero.
  const std::int64_t passed = std::max<std::int64_t>(boottime_ns() - started_boot_ns, 0);
  return std::max(realtime_ns(), started_ns + passed);
}

}  // namespace slipway::local
