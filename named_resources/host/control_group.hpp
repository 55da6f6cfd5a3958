// Reads the limits of this process's control groups, version 1 and 2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace slipway::host_resources {

/// The tightest limits of this process's groups and their parents; nullopt if there is no limit.
struct GroupLimits {
  std::optional<std::int32_t> cpus;    ///< whole CPUs of the quota, at least 1
  std::optional<std::int64_t> mem_mb;  ///< MiB
};

/// Returns the limits. `root` is the prefix of /proc and /sys. Also reads the directories above the
/// group's own path, which is often not mounted in a container.
GroupLimits group_limits(const std::string& root);

}  // namespace slipway::host_resources
