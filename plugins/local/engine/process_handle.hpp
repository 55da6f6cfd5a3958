// Signals for processes that were found by listing: the number may be another process's by now.
#pragma once

#include <cstdint>
#include <functional>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Holds on to the process that has a number now. Where it cannot (the kernel is older than Linux
/// 5.3, a container forbids pidfd_open, or no descriptor is left) it holds nothing but the number:
/// a signal can then reach another process that gets the number between the check and the signal.
/// Not thread safe.
class ProcessHandle {
 public:
  /// Opens process `pid` and then asks `is_meant`, whose answer holds for the opened process. Not
  /// valid(), with errno ESRCH or EINVAL, when the process is gone or is not meant.
  ProcessHandle(std::int32_t pid, const std::function<bool()>& is_meant);

  bool valid() const { return pid_ > 0; }
  /// False with errno set: ESRCH when the process is gone, EPERM when we may not signal it.
  bool send(int signal) const;
  /// Waits until the process has ended, at most `timeout_ms` (-1: without limit). Without a pidfd,
  /// waits for some milliseconds.
  void await_end(int timeout_ms = -1) const;

 private:
  std::int32_t pid_ = 0;
  OwnedFd pidfd_;
};

}  // namespace slipway::local
