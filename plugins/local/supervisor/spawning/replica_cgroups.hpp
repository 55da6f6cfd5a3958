// Cgroups of the replicas whose limits are enforced by them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugins/local/engine/plan.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Each attempt of a replica with limits has one cgroup (v1: one in each of two hierarchies),
/// `<place>/slipway/<app id>/<index of the replica>`, where `<place>` is a path of
/// LaunchPlan::cgroups. The next attempt makes it again. The names follow from the plan, so a
/// successor finds the cgroups. Does nothing for a plan without such limits. Not thread safe.
class ReplicaCgroups {
 public:
  /// `plan` must outlive this.
  explicit ReplicaCgroups(const LaunchPlan& plan);
  ReplicaCgroups(const ReplicaCgroups&) = delete;
  ReplicaCgroups& operator=(const ReplicaCgroups&) = delete;

  /// Makes the cgroup of replica `index`, empty and with the limits. Adds to `entries` the open
  /// files to which a process writes `0` to enter it; none if cgroups enforce no limit of the
  /// replica. Returns false with errno set and the action that failed in `what`. EAGAIN: processes
  /// of the attempt before are still ending; a later call may succeed.
  bool make(std::uint32_t index, const Limits& limits, std::vector<OwnedFd>& entries,
            std::string& what);
  /// Returns whether the kernel has killed a process of the replica's last attempt because the
  /// cgroup ran out of memory.
  bool ran_out_of_memory(std::uint32_t index) const;
  /// Removes the cgroup of replica `index` and those that the replica has made below it. If
  /// processes are left in one, kills them and leaves the removal to remove_all().
  void remove(std::uint32_t index);
  /// Sends SIGKILL to all processes in the app's cgroups, including those that the searches of
  /// `processes/` miss.
  void kill_all();
  /// Removes the app's cgroups at its end, those below them also, and `<place>/slipway` unless
  /// another app uses it. Kills the processes in each cgroup, and waits up to a second for their
  /// ends. Leaves a cgroup that has processes even then.
  void remove_all();

 private:
  std::vector<std::string> app_directories() const;
  std::string directory(const std::string& place, std::uint32_t index) const;

  const LaunchPlan& plan_;
  bool used_ = false;             // the plan has such limits
  bool has_directories_ = false;  // app_directories() exist
};

}  // namespace slipway::local
