// What control groups leave to this process, version 1 and 2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace slipway::host_resources {

/// The tightest limits of this process's groups and those above them; nothing where there is none.
struct GroupLimits {
  std::optional<std::int32_t> cpus;    ///< whole cpus of the quota, at least 1
  std::optional<std::int64_t> mem_mb;  ///< MiB
};

/// `root` stands in front of /proc and /sys. In a container the group's own path is often not mounted;
/// the directories above it are looked at all the same.
GroupLimits group_limits(const std::string& root);

}  // namespace slipway::host_resources
