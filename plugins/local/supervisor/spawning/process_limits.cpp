#include "plugins/local/supervisor/spawning/process_limits.hpp"

#include <algorithm>
#include <vector>

namespace slipway::local {
namespace {

std::vector<int> usable_cpus() {
  cpu_set_t all;
  std::vector<int> out;
  if (::sched_getaffinity(0, sizeof all, &all) != 0) return out;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &all)) out.push_back(cpu);
  }
  return out;
}

}  // namespace

ProcessLimits process_limits(const Limits& limits, std::uint32_t index) {
  ProcessLimits out;
  if (limits.enforce != Enforce::kRlimit) return out;
  if (limits.memory_bytes > 0 && ::getrlimit(RLIMIT_DATA, &out.memory) == 0) {
    out.has_memory = true;
    out.memory.rlim_max = std::min(out.memory.rlim_max, static_cast<rlim_t>(limits.memory_bytes));
    out.memory.rlim_cur = out.memory.rlim_max;
  }
  const std::vector<int> cpus = usable_cpus();
  const auto wanted = static_cast<std::size_t>(limits.cpus);
  if (limits.cpus > 0 && wanted < cpus.size()) {
    out.has_cpus = true;
    for (std::size_t k = 0; k < wanted; ++k) {
      const int cpu = cpus[(index * wanted + k) % cpus.size()];
      CPU_SET(static_cast<std::size_t>(cpu), &out.cpus);
    }
  }
  return out;
}

}  // namespace slipway::local
