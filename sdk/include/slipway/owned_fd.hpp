// The ownership of one file descriptor.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace slipway {
inline namespace sdk_1_0 {

/// Owns a descriptor, or none (-1), and closes it in its destructor. Movable, not copyable. Closing
/// does not change errno. Not thread-safe.
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

  /// Returns the descriptor, which this object still owns, or -1.
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

  /// Returns the descriptor, which the caller then owns.
  int release() { return std::exchange(fd_, -1); }

  /// Closes the descriptor, and owns `fd` instead.
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

}  // namespace sdk_1_0
}  // namespace slipway
