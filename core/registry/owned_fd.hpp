// A file descriptor that closes itself.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace slipway::registry {

class OwnedFd {
 public:
  explicit OwnedFd(int fd = -1) : fd_(fd) {}
  OwnedFd(OwnedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~OwnedFd() {
    if (fd_ >= 0) ::close(fd_);
  }

  /// Opens for reading a path that may name anything: a FIFO or a terminal neither blocks nor takes
  /// the process over. get() is negative and errno set when that fails.
  static OwnedFd open_untrusted(const std::string& path) {
    return OwnedFd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  }

  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace slipway::registry
