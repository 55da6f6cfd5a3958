// Finds the GPU memory that replicas on this machine use.
#pragma once

#include <cstdint>

#include "slipway/status.hpp"

namespace slipway {

/// Asks `nvidia-smi`, once, which processes hold GPU memory, and adds `gpu_memory_bytes` to the
/// details of each running replica that holds some: in its process and all processes below it. Asks
/// only if a replica has GPUs of this machine (`gpus` in its details). Leaves the details as they
/// are if the tool is missing, fails, reports no memory, or does not answer within two seconds.
///
/// Only for commands that show a status once, because the tool takes tens of milliseconds.
void add_gpu_memory(Description& app);

/// Returns `gpu_memory_bytes` of a replica's details; 0 if it is missing. Never throws. Thread
/// safe.
std::int64_t gpu_memory_of(const ReplicaStatus& replica);

}  // namespace slipway
