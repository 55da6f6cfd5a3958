// The GPUs of this machine, and which of them replicas may use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "slipway/app.hpp"

namespace slipway::local {

// Two run options give GPUs to replicas. Both look at SLIPWAY_LOCAL_GPUS first: if it is a number
// of GPUs, it replaces the count of the machine's GPUs.

// Run option `auto_set_cuda_visible_devices`, as in TorchX: the GPUs are shared with other apps.

struct GpuAssignment {
  /// The value of CUDA_VISIBLE_DEVICES by role and replica. A role that asks for no GPU has none;
  /// empty if no role gets any.
  std::vector<std::vector<std::string>> visible;
  /// The reason if the app asks for GPUs and gets none; otherwise empty.
  std::string refused;
};

/// Assigns GPUs in the order of roles and replicas; none if the app asks for more than the
/// machine has. Counts only the GPUs that the NVIDIA driver lists in /proc, because
/// CUDA_VISIBLE_DEVICES concerns no others. Unlike leasable_gpus(), it starts no process.
GpuAssignment assign_gpus(const AppDef& app);

// Run option `gpus=lease`: each app has its GPUs to itself, and the supervisor leases them.

struct LeasableGpus {
  std::int32_t count = 0;
  /// The variables in which programs find the numbers of the GPUs that they may use.
  StrList variables;
};

/// Returns the GPUs that `nvidia-smi -L` lists or, if there are none, those of `rocm-smi`. Treats
/// either as missing after ten seconds. Returns a count of 0 without a look if the app asks for
/// none. Throws kPrecondition if the app asks for more than the machine has, because it would wait
/// forever.
LeasableGpus leasable_gpus(const AppDef& app);

/// Adds the variables with a placeholder for the GPU numbers, which are known at launch. If
/// CUDA_VISIBLE_DEVICES is one of them, also adds CUDA_DEVICE_ORDER, which says what its numbers
/// mean, unless `env` has it. If `leased` is false, adds only the variables, which then say that
/// the replica has no GPU.
void add_gpu_variables(StrDict& env, const LeasableGpus& gpus, bool leased);

}  // namespace slipway::local
