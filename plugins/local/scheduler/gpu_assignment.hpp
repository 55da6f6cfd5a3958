// Which GPUs of this machine each replica may see (TorchX's `auto_set_cuda_visible_devices`).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "slipway/app.hpp"

namespace slipway::local {

/// GPUs of this machine: SLIPWAY_LOCAL_GPUS where that is set to a number, else those that the
/// NVIDIA driver lists. Starts no process, so that a dry run may ask.
std::int64_t count_gpus();

struct GpuAssignment {
  /// Per role and replica the value of CUDA_VISIBLE_DEVICES; a role that asks for no GPU has none.
  std::vector<std::vector<std::string>> visible;
  /// The reason if the app asks for GPUs and gets none; otherwise empty.
  std::string refused;
};

/// Hands the GPUs out in the order of roles and replicas. Nothing is assigned when the app asks for
/// more than there are.
GpuAssignment assign_gpus(const AppDef& app, std::int64_t gpus);

}  // namespace slipway::local
