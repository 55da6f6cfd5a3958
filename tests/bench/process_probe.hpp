#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace slipway::bench {

/// What /proc tells of a process. All of it is 0 of one that is gone.
struct ProcessFacts {
  long private_kb = 0;  ///< memory that it shares with nobody
  long descriptors = 0;
  std::int64_t cpu_ns = 0;    ///< processor time so far
  std::int64_t wake_ups = 0;  ///< how often it has gone to sleep and come back so far
};
ProcessFacts facts_of(pid_t pid);

/// The process that listens at a local socket, and its children. No other process is looked at: what somebody has looked
/// at in /proc takes longer to end.
std::vector<pid_t> listeners_of(const std::string& socket_path);

}  // namespace slipway::bench
