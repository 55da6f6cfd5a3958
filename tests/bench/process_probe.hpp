#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace slipway::bench {

/// The values of a process in /proc; all 0 if the process has ended and was waited for. cpu_ns and
/// wake_ups are those of its main thread.
struct ProcessFacts {
  long private_kb = 0;  ///< memory that it shares with no other process
  long descriptors = 0;
  std::int64_t cpu_ns = 0;    ///< processor time so far
  std::int64_t wake_ups = 0;  ///< how often it has slept and woken up so far
};
ProcessFacts facts_of(pid_t pid);

/// Returns the pid of the process that listens on a local socket, followed by those of its
/// children. Reads the entries of no other processes in /proc, because a process whose entry was
/// read takes longer to end.
std::vector<pid_t> listener_with_children(const std::string& socket_path);

}  // namespace slipway::bench
