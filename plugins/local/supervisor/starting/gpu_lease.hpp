// The GPUs of an app: leased from all apps of all users of this machine before anything starts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plugins/local/engine/plan.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// All GPUs of an app, or none: two apps never wait for each other's. Each number has a holder of
/// its own (machine_leases.hpp). The holders are made before the warden forks the supervisor, so
/// both processes hold each lease, and a replica inherits the holders of its own GPUs. A GPU is
/// free again when the last of these processes has ended: an orphan keeps its GPUs after both
/// helpers were killed. The app has its GPUs until it ends, over all attempts.
///
/// A lease cannot be given back while the warden has its holder. So apps choose one at a time, and
/// an app takes leases only when it has seen that it gets enough of them.
///
/// Not thread safe.
class GpuLease {
 public:
  /// Makes the holders. `plan` must outlive this; its groups get the numbers in their environment
  /// once they are known. Errors as make_lease_holder's. Does nothing for a plan without GPUs.
  explicit GpuLease(LaunchPlan& plan);
  GpuLease(const GpuLease&) = delete;
  GpuLease& operator=(const GpuLease&) = delete;

  /// Leases what the app needs, without waiting, and records it in `dir_fd`; or finds what a
  /// predecessor has recorded. Returns true when the numbers are known (at once for a plan without
  /// GPUs). An app that waits keeps its turn, so that an app with large needs is not overtaken for
  /// ever by apps with small needs. Which app has the next turn is unspecified.
  bool acquire(int dir_fd);

  /// Returns what the app waits for, after acquire() has returned false:
  /// `waits for 2 of this machine's 4 GPUs; leased: 0, 1 by user 1000`.
  std::string shortage() const;

  /// Returns whether replica `index` may use its GPUs now. False after both helpers were killed,
  /// while their orphans, or another app, have one of them.
  bool ready(std::uint32_t index);
  /// Ascending descriptors that replica `index` inherits.
  const std::vector<int>& descriptors(std::uint32_t index) const;

 private:
  bool choose(std::vector<std::int32_t>& numbers);
  bool take(const std::vector<std::int32_t>& numbers);
  bool use_recorded(int dir_fd);
  void hand_out(const std::vector<std::int32_t>& numbers);
  void tell(LaunchGroup& group, std::uint32_t index);

  LaunchPlan& plan_;
  OwnedFd turn_;                                                // while the app waits
  std::vector<OwnedFd> holders_;                                // by number
  std::map<std::uint32_t, std::vector<std::int32_t>> numbers_;  // by record
  std::map<std::uint32_t, std::vector<int>> descriptors_;
  bool known_ = false;
  int record_error_ = 0;  // errno of the record that could not be written
};

}  // namespace slipway::local
