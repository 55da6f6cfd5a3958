// Wakes threads that wait in poll().
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway {

/// A descriptor that is readable from raise() until clear(). Each function may be called from any
/// thread, raise() and clear() also from a signal handler.
class WakeEvent {
 public:
  /// Throws Error(kUnavailable) if no descriptor is left.
  WakeEvent() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (fd_) return;
    throw Error(Code::kUnavailable, "no descriptor is left for waiting",
                "raise the limit of open files (ulimit -n)");
  }

  int fd() const { return fd_.get(); }

  /// Makes the descriptor readable.
  void raise() const noexcept {
    // The write fails only if the counter is full, and then the event is raised already.
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(fd_.get(), &one, sizeof one);
  }

  /// Makes the descriptor unreadable until the next raise().
  void clear() const noexcept {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t length = ::read(fd_.get(), &count, sizeof count);
  }

 private:
  OwnedFd fd_;
};

}  // namespace slipway
