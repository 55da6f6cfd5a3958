#include "named_resources/host/machine.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "named_resources/host/control_group.hpp"
#include "named_resources/host/gpu_count.hpp"
#include "sdk/support/file_text.hpp"
#include "sdk/support/plain_number.hpp"

namespace slipway::host_resources {
namespace {

std::int32_t allowed_cpus() {
  // Grows the mask, because the call fails on machines with more CPUs than the mask has bits.
  for (int bits = 1024; bits <= 1 << 20; bits *= 2) {
    cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(bits));
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(bits));
    const bool is_large_enough = sched_getaffinity(0, size, set) == 0;
    const int count = is_large_enough ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (is_large_enough) return count;
  }
  return 1;
}

std::int64_t total_memory_mb(const std::string& root) {
  const std::string text = file_text(root + "/proc/meminfo").value_or("");
  constexpr std::string_view kKey = "MemTotal:";
  std::size_t at = text.find(kKey);
  if (at == std::string::npos) return 0;
  at = text.find_first_not_of(' ', at + kKey.size());
  if (at == std::string::npos) return 0;
  std::string_view rest = std::string_view(text).substr(at);
  return take_plain_number<std::int64_t>(rest).value_or(0) / 1024;
}

// Returns the number of items in a list of the kernel: 3 for "0-1,4".
std::int32_t count_of_list(std::string_view list) {
  std::int32_t count = 0;
  while (const auto first = take_plain_number<std::int32_t>(list)) {
    std::int32_t last = *first;
    if (!list.empty() && list.front() == '-') {
      list.remove_prefix(1);
      last = take_plain_number<std::int32_t>(list).value_or(*first);
    }
    count += std::max(0, last - *first + 1);
    if (list.empty() || list.front() != ',') break;
    list.remove_prefix(1);
  }
  return count;
}

}  // namespace

MachinePlaces this_machine() {
  MachinePlaces out;
  const char* path = ::secure_getenv("PATH");
  out.path = path != nullptr ? path : "/usr/bin:/bin";
  return out;
}

Machine read_machine(const MachinePlaces& places) {
  Machine out;
  const GroupLimits limits = group_limits(places.root);
  const std::int32_t cpus = places.allowed_cpus > 0 ? places.allowed_cpus : allowed_cpus();
  out.cpus = std::max(1, limits.cpus ? std::min(cpus, *limits.cpus) : cpus);
  const std::int64_t memory = total_memory_mb(places.root);
  out.mem_mb = limits.mem_mb && (memory == 0 || *limits.mem_mb < memory) ? *limits.mem_mb : memory;
  out.numa_nodes = std::max(
      1,
      count_of_list(file_text(places.root + "/sys/devices/system/node/has_memory").value_or("")));
  out.gpus = count_gpus(places);
  return out;
}

}  // namespace slipway::host_resources
