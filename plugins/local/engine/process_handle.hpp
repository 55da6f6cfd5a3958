// Signals for processes that Slipway found in a list of pids. Such a process may have ended, and
// another one may have its pid.
#pragma once

#include <cstdint>
#include <functional>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Refers to one process by a pidfd. If it gets none (Linux before 5.3, a container that forbids
/// pidfd_open(), no descriptor left), it has only the pid: a signal may then reach another process
/// that gets the pid between the check and the signal. Not thread safe.
class ProcessHandle {
 public:
  /// Opens process `pid`, and then calls `is_wanted`, which returns whether `pid` is still the
  /// process that the caller found. Because the process is open by then, the result stays true. Not
  /// valid(), with errno ESRCH or EINVAL, if the process has ended or `is_wanted` returns false.
  ProcessHandle(std::int32_t pid, const std::function<bool()>& is_wanted);

  bool valid() const { return pid_ > 0; }
  /// Sends the signal. Returns false with errno set: ESRCH if the process has ended, EPERM if the
  /// caller may not send it signals.
  bool send(int signal) const;
  /// Waits until the process has ended, at most `timeout_ms` (-1: no limit). Without a pidfd, waits
  /// some milliseconds.
  void await_end(int timeout_ms = -1) const;

 private:
  std::int32_t pid_ = 0;
  OwnedFd pidfd_;
};

}  // namespace slipway::local
