// Replicas that a successor adopted without being their parent: both processes of the app had died.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "plugins/local/supervisor/processes/app_members.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Watches them through pidfds, one descriptor each. Not thread safe.
///
/// What else belongs to the app is found as app_members.hpp says.
class ForeignReplicas {
 public:
  ForeignReplicas(AppFiles& files, Replicas& replicas);

  /// For the event loop, level-triggered. -1 until the first adoption.
  int event_fd() const { return epoll_.get(); }
  void on_event();
  /// Whether processes of the app may live that are not our descendants.
  bool used() const { return used_; }

  /// Remembers which sessions were the app's, before their records are used anew. `both_died`: at
  /// some time nobody watched, so that there may be processes that are nobody's replica.
  void remember_sessions(bool both_died);

  /// Adopts the running replica `index` or records it as lost. One that lives but cannot be
  /// watched, for want of descriptors, is killed and recorded as lost: nothing runs unsupervised.
  void adopt(std::uint32_t index);

  bool owns(std::uint32_t index) const { return pidfds_.count(index) != 0; }
  /// Returns whether a process of the replica's group got the signal.
  bool signal(std::uint32_t index, std::int32_t pid, int signal);

  /// Sends `signal` to the app's processes that are neither replicas nor in a replica's process
  /// group.
  void signal_strays(int signal);
  /// Kills them all and returns when none is left.
  void kill_strays();
  /// SIGKILL to those among them that were started with the environment entry `mark`.
  void kill_marked(std::string_view mark);

 private:
  std::vector<Member> strays() const;

  AppFiles& files_;
  Replicas& replicas_;
  OwnedFd epoll_;
  bool used_ = false;
  AppMembers members_;
  std::map<std::uint32_t, OwnedFd> pidfds_;  // by replica index
};

}  // namespace slipway::local
