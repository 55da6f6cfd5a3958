// The processes of an app, for one who is not their parent.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plugins/local/supervisor/processes/process_identity.hpp"

namespace slipway::local {

/// A process as a look at /proc found it. The start time tells it from a later one with its number.
struct Member {
  std::int32_t pid;
  std::uint64_t start;
};

/// Sends `signal` unless the number belongs to another process by now. False with errno set: ESRCH
/// when it is gone, EPERM when it is not for us to end.
bool signal_member(const Member& member, int signal);

/// Kills what `look` finds, again and again until it finds nothing more but what is not for us to
/// end; returns when they have ended.
void kill_until_none(const std::function<std::vector<Member>()>& look);

/// A process is the app's when it is in the session of a replica (each leads one), or carries the
/// app's mark (app_mark.hpp), or descends from such a process while its ancestors live. So one is
/// missed that made its own session, whose parent has ended and that was given another environment.
/// A session whose number now belongs to a leader that is not the recorded one is not touched.
/// Not thread safe.
class AppMembers {
 public:
  explicit AppMembers(std::string mark) : mark_(std::move(mark)) {}

  /// `leader`: pid of a replica that started in `window`.
  void add_session(std::int32_t leader, const StartWindow& window) {
    sessions_.emplace(leader, window);
  }

  /// One look at all of /proc. Zombies and ourselves are left out.
  std::vector<Member> look() const;

 private:
  bool is_ours(std::int32_t session, std::unordered_map<std::int32_t, bool>& known) const;

  std::string mark_;
  std::unordered_map<std::int32_t, StartWindow> sessions_;  // by number: their leader's pid
};

}  // namespace slipway::local
