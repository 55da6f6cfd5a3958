// Where on this machine cgroups for replicas can be made.
#pragma once

#include <string>

namespace slipway::local {

struct CgroupPlace {
  /// Of the unified hierarchy (v2), or of two of v1.
  bool unified = true;
  std::string memory;  ///< absolute directory; below it `slipway/<app id>/<number>` is made
  std::string cpu;     ///< the same where unified
};

/// Finds it and changes nothing: SLIPWAY_LOCAL_CGROUP, a directory of the unified hierarchy that
/// was delegated to the caller, where that is set; else for root the top of the unified hierarchy,
/// for others what systemd has delegated to them, as far as the caller runs in it; else, where
/// memory and cpu are controllers of v1, the caller's own cgroups there. Throws kPrecondition that
/// says why none of them will do: limits must not be weaker than what was asked for.
CgroupPlace find_cgroup_place();

}  // namespace slipway::local
