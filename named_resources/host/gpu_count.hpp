// Counts the GPUs of the machine.
#pragma once

#include <cstdint>

#include "named_resources/host/machine.hpp"

namespace slipway::host_resources {

/// Returns the number of NVIDIA and AMD GPUs. Runs the vendor's tool if PATH has it, because it
/// knows which GPUs a container may use. If the tool is missing, fails or does not answer in time,
/// counts the driver's entries in /proc (NVIDIA) or /sys (AMD).
std::int32_t count_gpus(const MachinePlaces& places);

}  // namespace slipway::host_resources
