// The directories in which this user can make cgroups for replicas.
#pragma once

#include <string>

namespace slipway::local {

/// The place for the cgroups of an app.
struct CgroupPlace {
  bool unified = true;  ///< the hierarchy is v2; else memory and cpu are two hierarchies of v1
  /// Absolute directory for the limits of memory; the supervisor makes `slipway/<app id>/<index>`
  /// below it, with the index of the replica's entry.
  std::string memory;
  std::string cpu;  ///< as `memory`, for the limits of CPU; the same directory if unified
};

/// Finds the place and changes nothing. Takes the first usable of these:
/// 1. In the unified hierarchy: SLIPWAY_LOCAL_CGROUP if it is set; else the top directory for root,
///    and for other users the cgroup that systemd delegated to them, if the caller runs in it.
/// 2. The caller's own cgroups in the v1 hierarchies of the memory and cpu controllers.
/// Throws kPrecondition, with a reason for each, if none is usable: limits must never be weaker
/// than the app asked for. Throws kConfig if SLIPWAY_LOCAL_CGROUP is not an absolute path.
CgroupPlace find_cgroup_place();

}  // namespace slipway::local
