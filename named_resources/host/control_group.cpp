#include "named_resources/host/control_group.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "sdk/support/file_text.hpp"
#include "sdk/support/plain_number.hpp"

namespace slipway::host_resources {
namespace {

// Returns the first integer of the text, or nullopt for "max".
std::optional<std::int64_t> number(std::string_view text) {
  return take_plain_number<std::int64_t>(text);
}

std::optional<std::int64_t> number_in(const std::string& path) {
  return number(file_text(path).value_or(""));
}

template <class Number>
void tighten(std::optional<Number>& limit, Number other) {
  limit = limit ? std::min(*limit, other) : other;
}

void limit_cpus(GroupLimits& limits, std::optional<std::int64_t> quota,
                std::optional<std::int64_t> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0)
    return;  // in cgroup v1, the quota -1 means "no limit"
  tighten(limits.cpus,
          static_cast<std::int32_t>(std::clamp<std::int64_t>(*quota / *period, 1, INT32_MAX)));
}

void limit_memory(GroupLimits& limits, std::optional<std::int64_t> bytes) {
  // Without a limit, cgroup v1 reports the bytes of the largest possible number of pages, almost
  // 2^63.
  constexpr std::int64_t kUnlimited = std::int64_t{1} << 60;
  if (bytes && *bytes >= 0 && *bytes < kUnlimited) tighten(limits.mem_mb, *bytes >> 20);
}

// Calls `look` for `path` and every directory above it: "/a/b", "/a", "".
template <class Look>
void upwards(std::string path, Look look) {
  while (!path.empty() && path.back() == '/') path.pop_back();
  look(path);
  while (!path.empty()) {
    path.erase(path.rfind('/'));
    look(path);
  }
}

bool has_controller(std::string_view list, std::string_view wanted) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    if (list.substr(0, comma) == wanted) return true;
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return false;
}

}  // namespace

GroupLimits group_limits(const std::string& root) {
  GroupLimits limits;
  const std::string mount = root + "/sys/fs/cgroup";
  std::istringstream groups(file_text(root + "/proc/self/cgroup").value_or(""));
  // One line ID:CONTROLLERS:PATH per hierarchy; CONTROLLERS is empty in cgroup v2.
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos || line.compare(second + 1, 1, "/") != 0) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) {
      upwards(path, [&](const std::string& group) {
        const std::string quota = file_text(mount + group + "/cpu.max").value_or("");
        const std::size_t blank = quota.find(' ');
        if (blank != std::string::npos)
          limit_cpus(limits, number(quota), number(quota.substr(blank + 1)));
        limit_memory(limits, number_in(mount + group + "/memory.max"));
      });
    }
    if (has_controller(controllers, "cpu")) {
      upwards(path, [&](const std::string& group) {
        limit_cpus(limits, number_in(mount + "/cpu" + group + "/cpu.cfs_quota_us"),
                   number_in(mount + "/cpu" + group + "/cpu.cfs_period_us"));
      });
    }
    if (has_controller(controllers, "memory")) {
      upwards(path, [&](const std::string& group) {
        limit_memory(limits, number_in(mount + "/memory" + group + "/memory.limit_in_bytes"));
      });
    }
  }
  return limits;
}

}  // namespace slipway::host_resources
