// The GPUs of an app: leased from all apps of all users of this machine before anything starts.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "plugins/local/engine/plan.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// All GPUs of an app, or none: two apps never wait for each other's. A number is leased by a lock of
/// its own open file (machine_locks.hpp). These files are opened before the warden makes the
/// supervisor, so both hold each lock, and a replica inherits those of its own GPUs. So a GPU is
/// free again when the last of the three has ended: also when both helpers are killed, nobody gets
/// it before the orphan is gone. The app has its GPUs until it ends, over all attempts.
///
/// Not thread safe.
class GpuLease {
 public:
  /// Opens the files. `plan` must outlive this; its groups get the numbers in their environment once
  /// they are known. Throws kCantCreate or kUnavailable. Does nothing for a plan without GPUs.
  explicit GpuLease(LaunchPlan& plan);
  GpuLease(const GpuLease&) = delete;
  GpuLease& operator=(const GpuLease&) = delete;

  /// Leases what the app needs, without waiting, and records it in `dir_fd`; or finds what a
  /// predecessor has recorded. True when the numbers are known (at once for a plan without GPUs).
  /// Of those that wait, one at a time tries, so that who needs many is not overtaken for ever by
  /// those who need few; who is next after it is chance.
  bool acquire(int dir_fd);

  /// Whether replica `index` may use its GPUs now. False after both helpers were killed, as long as
  /// what they left behind, or another app, has one of them.
  bool ready(std::uint32_t index);
  /// Ascending descriptors that replica `index` is to inherit.
  const std::vector<int>& descriptors(std::uint32_t index) const;

 private:
  bool lock_enough(std::vector<std::int32_t>& numbers);
  bool use_recorded(int dir_fd);
  void hand_out(const std::vector<std::int32_t>& numbers);
  void tell(LaunchGroup& group, std::uint32_t index);

  LaunchPlan& plan_;
  OwnedFd turn_;                                                // whose lock is the turn to try
  std::vector<OwnedFd> files_;                                  // by number
  std::map<std::uint32_t, std::vector<std::int32_t>> numbers_;  // by record
  std::map<std::uint32_t, std::vector<int>> descriptors_;
  bool known_ = false;
};

}  // namespace slipway::local
