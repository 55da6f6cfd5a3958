// The owner of an app: the command whose end cancels it.
#pragma once

#include "slipway/owned_fd.hpp"

namespace slipway::docker {

class Owner {
 public:
  /// `fd` is a socket or pipe whose other end the owner has, or another file if there is no owner.
  explicit Owner(OwnedFd fd);

  /// Returns a descriptor for poll(), or -1 if there is no owner any more.
  int fd() const { return fd_.get(); }
  /// Reads the owner's wishes, when fd() is readable. Answers one that gives the app up.
  void read();
  bool has_ended() const { return has_ended_; }

 private:
  OwnedFd fd_;
  bool has_ended_ = false;
};

}  // namespace slipway::docker
