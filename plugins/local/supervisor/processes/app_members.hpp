// The processes of an app, for a process that is not their parent.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plugins/local/supervisor/processes/process_identity.hpp"

namespace slipway::local {

/// A process as /proc showed it. The start time distinguishes it from a later process with its pid.
struct Member {
  std::int32_t pid;
  std::uint64_t start;  ///< clock ticks since boot
};

/// Sends `signal` to `member`, never to a later process with its pid. Returns false with errno set:
/// ESRCH if the process is gone, EPERM if this process may not signal it.
bool signal_member(const Member& member, int signal);

/// Kills the processes that `find` returns and waits for their ends, and repeats that until `find`
/// returns none that this process may signal.
void kill_until_none(const std::function<std::vector<Member>()>& find);

/// A process belongs to the app if it is in the process session of a replica (each replica leads
/// one), has the app's mark (app_mark.hpp), or descends from such a process by living ancestors.
/// The search misses a process that has its own process session and another environment and whose
/// parent has ended. It ignores a process session whose leader is another process than the recorded
/// one; one whose leader is gone counts. Not thread safe.
class AppMembers {
 public:
  explicit AppMembers(std::string mark) : mark_(std::move(mark)) {}

  /// Adds the process session of the replica `leader`, which started in `window`.
  void add_session(std::int32_t leader, const StartWindow& window) {
    sessions_.emplace(leader, window);
  }

  /// Returns the processes of the app in /proc at this moment, except zombies and this process.
  std::vector<Member> find() const;

 private:
  bool is_app_session(std::int32_t session, std::unordered_map<std::int32_t, bool>& known) const;

  std::string mark_;
  std::unordered_map<std::int32_t, StartWindow> sessions_;  // by the pid of their leader
};

}  // namespace slipway::local
