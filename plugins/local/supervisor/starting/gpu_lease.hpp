// The GPUs of an app, which it shares with the apps of all users of this machine.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plugins/local/engine/plan.hpp"
#include "plugins/local/supervisor/record/app_files.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Leases all GPUs of an app or none, so no two apps wait for each other's GPUs. The app keeps them
/// until it ends, over all attempts.
///
/// There is one exception. After supervisor and warden were killed, each replica takes its recorded
/// GPUs again by itself, all or none: it must not wait for the GPUs of a replica that still runs as
/// an orphan. Two such apps that recorded the same GPUs one after the other can then each get those
/// of some replicas, and wait for the rest until the other app ends.
///
/// Each GPU has a holder of its own (machine_leases.hpp). The holders are made before the warden
/// forks the supervisor, so both processes hold each lease, and a replica inherits the holders of
/// its own GPUs. A GPU is free when the last of these processes has ended: an orphan keeps its GPUs
/// after supervisor and warden were killed.
///
/// A lease that was taken cannot be given back, because the warden also holds it. Therefore one app
/// at a time chooses, and takes nothing until it has seen enough free GPUs.
///
/// Not thread safe.
class GpuLease {
 public:
  /// Makes the holders. Does nothing for a plan without GPUs. The groups of `plan`, which must
  /// outlive this, get the numbers in their environment when they are known. Throws as
  /// make_lease_holder() does.
  explicit GpuLease(LaunchPlan& plan);
  GpuLease(const GpuLease&) = delete;
  GpuLease& operator=(const GpuLease&) = delete;

  /// Leases the GPUs without waiting and records them in the journal, or uses those that a
  /// predecessor has recorded. Returns true when the numbers are known; at once for a plan without
  /// GPUs. One of the waiting apps has the turn and keeps it until it has its GPUs, so apps with
  /// small needs cannot overtake it. Which app gets the turn next is unspecified.
  bool acquire(AppFiles& files);

  /// Returns what the app waits for after acquire() has returned false:
  /// `waits for 2 of this machine's 4 GPUs; user 1000 has GPUs 0, 1`. If the journal could not take
  /// the numbers, returns why.
  std::string shortage() const;

  /// Returns whether replica `index` may use its GPUs now; takes the leases that are missing, all
  /// or none. They are missing only if supervisor and warden were killed. Then returns false while
  /// an orphan or another app has one of the GPUs, or another app is choosing.
  bool has_gpus(std::uint32_t index);
  /// Returns the descriptors that replica `index` inherits, in ascending order.
  const std::vector<int>& descriptors(std::uint32_t index) const;

 private:
  bool choose(std::vector<std::int32_t>& numbers);
  bool take(const std::vector<std::int32_t>& numbers);
  bool use_recorded(AppFiles& files);
  void assign(const std::vector<std::int32_t>& numbers);
  void set_variables(LaunchGroup& group, std::uint32_t index);

  LaunchPlan& plan_;
  OwnedFd turn_;                  // holds the turn to choose while the app waits
  std::vector<OwnedFd> holders_;  // by the number of the GPU
  std::map<std::uint32_t, std::vector<std::int32_t>> numbers_;  // of GPUs, by replica
  std::map<std::uint32_t, std::vector<int>> descriptors_;       // of the holders, by replica
  bool known_ = false;    // the numbers are known and recorded, or the app has no GPUs
  int record_error_ = 0;  // errno of the journal lines that could not be written
};

}  // namespace slipway::local
