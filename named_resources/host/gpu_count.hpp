// How many GPUs the machine has.
#pragma once

#include <cstdint>

#include "named_resources/host/machine.hpp"

namespace slipway::host_resources {

/// NVIDIA's and AMD's together. The vendor's tool is asked where PATH has it, since it knows what a container may see;
/// where it is missing, fails or does not answer in time, the kernel's own list counts.
std::int32_t count_gpus(const MachinePlaces& places);

}  // namespace slipway::host_resources
