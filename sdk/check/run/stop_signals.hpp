// The signals that end the kit.
#pragma once

#include <signal.h>

#include "slipway/owned_fd.hpp"

namespace slipway::check {

/// A signal ended the kit.
struct Interrupted {
  int signal;
};

/// Holds back SIGTERM, SIGINT, SIGHUP and SIGPIPE while it lives, so that the kit can clean up
/// before it ends. Leaves signals alone that the kit's parent ignores. Also holds back SIGCHLD, for
/// sigtimedwait(). At most one object exists at a time.
class StopSignals {
 public:
  /// Throws std::system_error.
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Returns a descriptor for poll() that is readable after a signal.
  int fd() const { return fd_.get(); }
  /// Returns the number of the next signal that has arrived, or 0, and forgets it.
  int take() const;

  /// Makes a forked child receive signals as the kit's parent wanted.
  void release_in_child() const;

 private:
  sigset_t before_{};
  OwnedFd fd_;
};

}  // namespace slipway::check
