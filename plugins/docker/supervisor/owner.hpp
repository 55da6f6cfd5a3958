// The owner of an app: the command whose end cancels it.
#pragma once

#include <functional>

#include "slipway/owned_fd.hpp"

namespace slipway::docker {

class Owner {
 public:
  /// `fd` is a socket or pipe whose other end the owner has, or another file if there is no owner,
  /// or if it has ended already.
  Owner(OwnedFd fd, bool has_ended);

  /// Returns a descriptor for poll(), or -1 if there is no owner any more.
  int fd() const { return fd_.get(); }
  /// Reads the owner's wishes, when fd() is readable. Calls `give_up` if it gives the app up, and
  /// answers it then.
  void read(const std::function<void()>& give_up);
  bool has_ended() const { return has_ended_; }

 private:
  OwnedFd fd_;
  bool has_ended_;
};

}  // namespace slipway::docker
