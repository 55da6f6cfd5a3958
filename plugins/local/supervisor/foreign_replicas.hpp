// Replicas that a successor adopted without being their parent: both processes of the app had died.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>

#include "plugins/local/engine/owned_fd.hpp"
#include "plugins/local/supervisor/process_identity.hpp"
#include "plugins/local/supervisor/replicas.hpp"

namespace slipway::local {

/// Watches them through pidfds, one descriptor each. Not thread safe.
///
/// What belongs to the app beyond its recorded processes is found by session (each replica leads
/// one): a process in the session of a replica, or below such a process. That misses a process that
/// made its own session and whose parent has ended. A session whose number now belongs to a leader
/// that is not the recorded one is not touched.
class ForeignReplicas {
 public:
  explicit ForeignReplicas(AppFiles& files, Replicas& replicas)
      : files_(files), replicas_(replicas) {}

  /// For the event loop, level-triggered. -1 until the first adoption.
  int event_fd() const { return epoll_.get(); }
  void on_event();
  bool used() const { return used_; }

  /// Remembers which sessions were the app's, before their records are used anew.
  void remember_sessions();

  /// Adopts the running replica `index` or records it as lost. One that lives but cannot be
  /// watched, for want of descriptors, is killed and recorded as lost: nothing runs unsupervised.
  void adopt(std::uint32_t index);

  bool owns(std::uint32_t index) const { return pidfds_.count(index) != 0; }
  void signal(std::uint32_t index, std::int32_t pid, int signal);

  /// Sends `signal` to the app's processes that are neither replicas nor in a replica's process
  /// group.
  void signal_strays(int signal);
  /// Kills them all and returns when none is left.
  void kill_strays();

 private:
  std::vector<std::int32_t> strays() const;

  AppFiles& files_;
  Replicas& replicas_;
  OwnedFd epoll_;
  bool used_ = false;
  std::unordered_map<std::int32_t, StartWindow>
      sessions_;                             // by number, that is, their leader's pid
  std::map<std::uint32_t, OwnedFd> pidfds_;  // by replica index
};

}  // namespace slipway::local
