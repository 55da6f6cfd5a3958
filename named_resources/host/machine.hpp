// Measures the CPUs and the memory that this process may use, and the GPUs and NUMA nodes of the
// machine.
#pragma once

#include <cstdint>
#include <string>

namespace slipway::host_resources {

struct Machine {
  std::int32_t cpus = 1;    ///< by affinity and the CPU quota of control groups, at least 1
  std::int64_t mem_mb = 0;  ///< MiB, by /proc/meminfo and the limit of control groups; 0: unknown
  std::int32_t gpus = 0;    ///< 0: none, or unknown
  std::int32_t numa_nodes = 1;  ///< nodes with memory
};

/// The places to read from; tests use their own directories.
struct MachinePlaces {
  std::string root;               ///< prefix of /proc and /sys
  std::string path;               ///< PATH for the tools of GPU drivers; empty: runs no tool
  std::int32_t allowed_cpus = 0;  ///< CPUs of the affinity mask; 0: read from the kernel
  int tool_timeout_ms = 5000;     ///< for each tool
};

/// Returns the places of this process: the real root, and its PATH, or `/usr/bin:/bin` if it has
/// none.
MachinePlaces this_machine();

/// Measures the machine. What missing files would say keeps its default. May run two tools, one
/// after the other, each for at most `tool_timeout_ms`.
Machine read_machine(const MachinePlaces& places);

}  // namespace slipway::host_resources
