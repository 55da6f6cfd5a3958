// Orphans: replicas that are not children of the supervisor, because supervisor and warden had
// died.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "plugins/local/supervisor/processes/app_members.hpp"
#include "plugins/local/supervisor/record/replicas.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Watches each orphan through a pidfd. Finds the app's other processes as app_members.hpp says.
/// Not thread safe.
class Orphans {
 public:
  /// All must outlive this.
  Orphans(AppFiles& files, Replicas& replicas);

  /// Returns the descriptor for the event loop, level-triggered; -1 before the first take_over().
  int event_fd() const { return epoll_.get(); }
  /// Records the ends of orphans.
  void on_event();
  /// Returns whether processes of the app may live that are not descendants of this process.
  bool may_exist() const { return may_exist_; }

  /// Remembers the process sessions of the replicas; call it before new attempts overwrite the
  /// replicas' entries. `both_died`: for some time neither supervisor nor warden lived, so replicas
  /// may have left processes that are no descendants.
  void remember_sessions(bool both_died);

  /// Takes over the running replica `index`, or records it as lost if it is gone. If it cannot be
  /// watched, because the limit of descriptors is reached or the system refuses pidfds, kills it
  /// and records it as lost: nothing runs unsupervised. Throws kTemporary, and records nothing, if
  /// a shortage hides whether the process is the recorded one.
  void take_over(std::uint32_t index);

  /// Returns whether the running replica `index` is an orphan.
  bool owns(std::uint32_t index) const { return pidfds_.count(index) != 0; }
  /// Sends `signal` to the replica's process group. Returns whether a process got it.
  bool signal(std::uint32_t index, std::int32_t pid, int signal);

  /// Sends `signal` to the app's processes outside the process groups of its replicas.
  void signal_strays(int signal);
  /// Kills the app's processes that are not replicas, and returns when none is left that this
  /// process may signal.
  void kill_strays();
  /// Sends SIGKILL to the app's processes that are not replicas and were started with the
  /// environment entry `mark`, and does not wait.
  void kill_marked(std::string_view mark);

 private:
  std::vector<Member> strays() const;

  AppFiles& files_;
  Replicas& replicas_;
  OwnedFd epoll_;
  bool may_exist_ = false;
  AppMembers members_;
  std::map<std::uint32_t, OwnedFd> pidfds_;  // by replica index
};

}  // namespace slipway::local
