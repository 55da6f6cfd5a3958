// What the machine has that this process may use.
#pragma once

#include <cstdint>
#include <string>

namespace slipway::host_resources {

struct Machine {
  std::int32_t cpus = 1;    ///< by affinity and the cpu quota of control groups, at least 1
  std::int64_t mem_mb = 0;  ///< MiB, by /proc/meminfo and the limit of control groups; 0: not known
  std::int32_t gpus = 0;
  std::int32_t numa_nodes = 1;  ///< those with memory
};

/// Where to look; tests hand in directories of their own.
struct MachinePlaces {
  std::string root;               ///< in front of /proc and /sys
  std::string path;               ///< PATH for the tools of GPU drivers; empty: none is run
  std::int32_t allowed_cpus = 0;  ///< cpus of the affinity mask; 0: ask the kernel
  int tool_timeout_ms = 5000;
};

/// The places of this process: the real root, PATH as it is.
MachinePlaces this_machine();

/// Never throws for what is or is not there; takes at most twice the timeout of tools.
Machine read_machine(const MachinePlaces& places);

/// The whole file, or an empty text. For the small files of /proc and /sys.
std::string file_text(const std::string& path);

}  // namespace slipway::host_resources
