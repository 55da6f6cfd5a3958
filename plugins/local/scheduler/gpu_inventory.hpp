// The GPUs of this machine that can be leased.
#pragma once

#include <cstdint>
#include <optional>

#include "slipway/app.hpp"

namespace slipway::local {

struct GpuInventory {
  std::int32_t count = 0;
  /// Variables by which programs are told the numbers of the GPUs they may use.
  StrList variables;
};

/// SLIPWAY_LOCAL_GPUS, which stands for what would be counted; nothing where it is not set to a
/// number of GPUs.
std::optional<std::int32_t> gpus_by_environment();

/// gpus_by_environment(), else what `nvidia-smi -L`, else `rocm-smi`
/// lists. Each of them is given ten seconds, and counts as not there then.
GpuInventory find_gpus();

/// Adds what says how these numbers are meant (CUDA_DEVICE_ORDER, unless `env` has it) and a
/// placeholder for the numbers, which are known at launch; with `leased` false, that there are
/// none.
void add_gpu_variables(StrDict& env, const GpuInventory& gpus, bool leased);

}  // namespace slipway::local
