// Cgroups of the replicas whose limits are enforced by them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugins/local/engine/plan.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// One cgroup (v1: one in each of two hierarchies) per attempt of a replica with limits, in
/// `<place>/slipway/<app id>/<record index>`. All names follow from the plan, so that a successor
/// finds them. Does nothing, and costs nothing, for a plan without such limits. Not thread safe.
class ReplicaCgroups {
 public:
  /// `plan` must outlive this.
  explicit ReplicaCgroups(const LaunchPlan& plan);
  ReplicaCgroups(const ReplicaCgroups&) = delete;
  ReplicaCgroups& operator=(const ReplicaCgroups&) = delete;

  bool used() const { return used_; }
  /// Makes the cgroup of replica `index` anew, with the limits. Returns the files to which a
  /// process writes `0` to enter it. False with errno set and `what` telling what failed.
  bool make(std::uint32_t index, const Limits& limits, std::vector<OwnedFd>& doors,
            std::string& what);
  /// Whether the kernel killed a process of the replica's present attempt for want of memory.
  bool ran_out_of_memory(std::uint32_t index) const;
  /// Kills what is left in the cgroup of replica `index` and removes it, at the latest with
  /// remove_all().
  void remove(std::uint32_t index);
  /// SIGKILL to all processes in all of the app's cgroups, also those that no other way leads to.
  void kill_all();
  /// At the end of the app, when its processes are gone.
  void remove_all();

 private:
  std::vector<std::string> roots() const;
  std::string directory(const std::string& place, std::uint32_t index) const;

  const LaunchPlan& plan_;
  bool used_ = false;
  bool made_ = false;  // the app's own directories
};

}  // namespace slipway::local
