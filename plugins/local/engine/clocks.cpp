#include "plugins/local/engine/clocks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

/// Reads the line `boottime <seconds> <nanoseconds>` (time_namespaces(7)), and returns its sum in
/// nanoseconds. A kernel without time namespaces has no such file.
std::int64_t read_boot_offset() {
  const OwnedFd file(::open("/proc/self/timens_offsets", O_RDONLY | O_CLOEXEC));
  std::array<char, 256> text{};
  if (!file || ::read(file.get(), text.data(), text.size() - 1) <= 0) return 0;
  const char* line = std::strstr(text.data(), "boottime");
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
  if (line == nullptr ||
      std::sscanf(line, "boottime %" SCNd64 " %" SCNd64, &seconds, &nanoseconds) != 2) {
    return 0;
  }
  return seconds * 1'000'000'000 + nanoseconds;
}

}  // namespace

std::int64_t boottime_ns() { return clock_ns(CLOCK_BOOTTIME) - boot_clock_offset(); }

std::int64_t boot_clock_offset() {
  static const std::int64_t offset = read_boot_offset();
  return offset;
}

}  // namespace slipway::local
