// The signals that end the kit.
#pragma once

#include <signal.h>

#include "slipway/owned_fd.hpp"

namespace slipway::check {

/// Thrown after a signal that ends the kit.
struct Interrupted {
  int signal;
};

/// Holds back SIGTERM, SIGINT, SIGHUP and SIGPIPE while it lives, so that the kit can clean up
/// before it ends, except signals that the kit's parent ignores. Also holds back SIGCHLD, for
/// which end_descendants() waits. At most one object exists at a time.
class StopSignals {
 public:
  /// Throws std::system_error.
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Returns a descriptor for poll() that is readable after a signal.
  int fd() const { return fd_.get(); }
  /// Removes and returns the next signal that has arrived; returns 0 if there is none.
  int take() const;

  /// Restores, in a forked child, the signal mask that the kit inherited.
  void release_in_child() const;

 private:
  sigset_t before_{};
  OwnedFd fd_;
};

}  // namespace slipway::check
