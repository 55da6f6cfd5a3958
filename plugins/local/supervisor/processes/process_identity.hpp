// Whether a process is the recorded one, and how it ended. For processes that are not children of
// this process.
#pragma once

#include <cstdint>

#include "plugins/local/engine/state_layout.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Fields of /proc/<pid>/stat.
struct ProcessStat {
  std::int32_t parent = 0;     ///< pid
  std::int32_t session = 0;    ///< number of the process session, the pid of its leader
  char state = 0;              ///< 'Z' zombie, 'X' dead, …
  std::uint64_t start = 0;     ///< clock ticks since boot
  std::int32_t exit_code = 0;  ///< wait status of a zombie; 0 if the kernel hides it
};

/// Reads the fields of process `pid`. Returns false if there is no such process (errno ESRCH or
/// ENOENT), or if its file cannot be read (another errno, such as EMFILE).
bool read_process(std::int32_t pid, ProcessStat& out);

/// The two moments of CLOCK_BOOTTIME between which a process was made.
struct StartWindow {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
};
/// Returns the window of an entry. If the supervisor died during the start, it did not record
/// `to_ns` (0): then the window lasts ten seconds.
StartWindow start_window(std::int64_t from_ns, std::int64_t to_ns);
StartWindow start_window(const ReplicaEntry& entry);
/// Returns whether the process of `stat` was made in `window`.
bool started_in(const StartWindow& window, const ProcessStat& stat);

/// Returns whether a process of this boot with that start time can be the one that claimed
/// `entry`.
bool is_recorded(const ReplicaEntry& entry, const ProcessStat& stat);

/// Returns a pidfd of the recorded process of a running `entry`. Empty if the process is gone
/// (errno 0), or if the system refuses (another errno, such as EMFILE): the process may run then.
OwnedFd open_recorded(const ReplicaEntry& entry);

/// The result of ending_of().
enum class Ending { kRunning, kKnown, kLost };

/// Finds out how the process behind `pidfd` ended. kKnown: `status` is its wait status. kLost: the
/// wait status cannot be found, also if the kernel hides it and the parent does not reap the
/// zombie within 100 ms. kRunning: the end is not known yet, perhaps because of a shortage, and
/// the caller waits for the next event of the pidfd (from Linux 6.9 on, POLLHUP comes when the
/// process is reaped). `reaped`: the present event is POLLHUP.
Ending ending_of(int pidfd, const ReplicaEntry& entry, bool reaped, std::int32_t& status);

/// Sends `signal` to the process group whose leader, living or zombie, is behind `pidfd`. Returns
/// whether a process got the signal.
bool signal_group(int pidfd, std::int32_t pid, int signal);

}  // namespace slipway::local
