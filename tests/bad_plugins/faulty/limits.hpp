// Faults of functions that ignore the limits of a call.
#pragma once

#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "slipway/host.hpp"
#include "tests/bad_plugins/faulty/fault.hpp"

namespace faulty {

/// Waits if the fault is FUNCTION_ignores_cancel and the host has cancelled the call, or
/// FUNCTION_ignores_deadline and the deadline has passed.
inline void ignore_limits(const std::string& function, const slipway::Call& call) {
  // Longer than the conformance kit accepts with `--limit 8`: a quarter of the limit, 2 seconds.
  constexpr unsigned kWaitSeconds = 3;
  if (call.cancelled() && broken(function + "_ignores_cancel")) ::sleep(kWaitSeconds);
  if (call.deadline_ns() == 0 || !broken(function + "_ignores_deadline")) return;
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  if (std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec > call.deadline_ns())
    ::sleep(kWaitSeconds);
}

}  // namespace faulty
