#include "named_resources/host/machine.hpp"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

#include "named_resources/host/control_group.hpp"
#include "named_resources/host/gpu_count.hpp"

namespace slipway::host_resources {
namespace {

std::int32_t allowed_cpus() {
  // Grows the mask, because the call fails on machines with more cpus than the mask has bits.
  for (int bits = 1024; bits <= 1 << 20; bits *= 2) {
    cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(bits));
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(bits));
    const bool known = sched_getaffinity(0, size, set) == 0;
    const int count = known ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (known) return count;
  }
  return 1;
}

std::int64_t total_memory_mb(const std::string& root) {
  const std::string text = file_text(root + "/proc/meminfo");
  constexpr std::string_view kKey = "MemTotal:";
  std::size_t at = text.find(kKey);
  if (at == std::string::npos) return 0;
  at = text.find_first_not_of(' ', at + kKey.size());
  if (at == std::string::npos) return 0;
  std::int64_t kib = 0;
  std::from_chars(text.data() + at, text.data() + text.size(), kib);
  return kib / 1024;
}

// Returns the number of cpus in a list: 3 for "0-1,4".
std::int32_t count_of_list(std::string_view list) {
  std::int32_t count = 0;
  const char* at = list.data();
  const char* const end = at + list.size();
  while (at != end) {
    std::int32_t first = 0;
    auto parsed = std::from_chars(at, end, first);
    if (parsed.ec != std::errc()) break;
    std::int32_t last = first;
    if (parsed.ptr != end && *parsed.ptr == '-')
      parsed = std::from_chars(parsed.ptr + 1, end, last);
    count += std::max(0, last - first + 1);
    at = parsed.ptr != end && *parsed.ptr == ',' ? parsed.ptr + 1 : end;
  }
  return count;
}

}  // namespace

std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

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
  out.numa_nodes =
      std::max(1, count_of_list(file_text(places.root + "/sys/devices/system/node/has_memory")));
  out.gpus = count_gpus(places);
  return out;
}

}  // namespace slipway::host_resources
