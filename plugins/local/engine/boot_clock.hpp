// CLOCK_BOOTTIME, the same in every time namespace.
#pragma once

#include <cstdint>

namespace slipway::local {

/// What this process's time namespace adds to the machine's boot clock, in nanoseconds; usually 0.
/// Records hold the machine's own time, because the process that takes an app over may be in
/// another namespace.
std::int64_t boot_clock_offset();

}  // namespace slipway::local
