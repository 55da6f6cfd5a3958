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

/// Returns the limits; ignores files that it cannot read. `root` is the prefix of /proc and /sys.
/// In a container the directory of the group itself is often missing, and the top directory is that
/// of the group: group_limits() reads every directory from the group's own up to the top.
GroupLimits group_limits(const std::string& root);

}  // namespace slipway::host_resources
