// Ownership of one file descriptor, for plug-ins that open files.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace slipway {

/// Owns a descriptor and closes it; -1 stands for none. Movable, not copyable. Closing keeps errno
/// as it was. Like an int, it is for one thread at a time.
class OwnedFd {
 public:
  OwnedFd() = default;
  explicit OwnedFd(int fd) : fd_(fd) {}
  OwnedFd(OwnedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    if (this != &other) reset(std::exchange(other.fd_, -1));
    return *this;
  }
  OwnedFd(const OwnedFd&) = delete;
  OwnedFd& operator=(const OwnedFd&) = delete;
  ~OwnedFd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

  /// Gives the descriptor to the caller, who closes it; nothing is owned afterwards.
  int release() { return std::exchange(fd_, -1); }

  /// Closes what is owned and owns `fd` instead.
  void reset(int fd = -1) {
    const int old = std::exchange(fd_, fd);
    if (old < 0) return;
    const int saved = errno;
    ::close(old);
    errno = saved;
  }

 private:
  int fd_ = -1;
};

}  // namespace slipway
