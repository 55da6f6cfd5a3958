// The owner of an app: the command whose end cancels it.
#pragma once

#include <functional>

#include "slipway/owned_fd.hpp"

namespace slipway::docker {

class Owner {
 public:
  /// `fd` is a socket or pipe whose other end the owner has. Any other file means that there is no
  /// owner, or, with `has_ended`, that it has ended.
  Owner(OwnedFd fd, bool has_ended);

  /// Returns a descriptor for poll(), or -1 if the app has no owner or the owner has ended.
  int fd() const { return fd_.get(); }
  /// Reads from the owner. If the owner gives the app up, calls `give_up` and answers the owner.
  /// Call it when fd() is readable.
  void read(const std::function<void()>& give_up);
  bool has_ended() const { return has_ended_; }

 private:
  OwnedFd fd_;
  bool has_ended_;
};

}  // namespace slipway::docker
