// Is a process still the one that was recorded, and how did it end? For processes that are not our
// children.
#pragma once

#include <cstdint>

#include "plugins/local/engine/state_layout.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// What /proc/<pid>/stat says.
struct ProcessStat {
  std::int32_t parent = 0;
  std::int32_t session = 0;
  char state = 0;              ///< 'Z' zombie, 'X' dead, …
  std::uint64_t start = 0;     ///< clock ticks since boot
  std::int32_t exit_code = 0;  ///< wait status of a zombie
};

/// False when there is no such process.
bool read_process(std::int32_t pid, ProcessStat& out);

/// Between these two moments of CLOCK_BOOTTIME a process was made.
struct StartWindow {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
};
StartWindow start_window(const ReplicaRecord& record);
bool started_in(const StartWindow& window, const ProcessStat& stat);

/// Whether a process with that start time can be the one that claimed `record` (in this boot).
bool is_recorded(const ReplicaRecord& record, const ProcessStat& stat);

/// A pidfd of the recorded process of a running `record`; empty when it is gone (errno 0), or when
/// the system refuses (errno EMFILE, ENFILE, ENOMEM).
OwnedFd open_recorded(const ReplicaRecord& record);

enum class Ending { kRunning, kKnown, kLost };

/// How the process behind `pidfd` ended. kKnown: `status` is its wait status. kRunning: not yet
/// known, wait for the next event of the pidfd (POLLHUP comes once it is reaped). `reaped`: that
/// event was POLLHUP.
Ending ending_of(int pidfd, const ReplicaRecord& record, bool reaped, std::int32_t& status);

/// Sends `signal` to the process group of the (living or zombie) leader behind `pidfd`. Returns
/// whether a process got it.
bool signal_group(int pidfd, std::int32_t pid, int signal);

}  // namespace slipway::local
