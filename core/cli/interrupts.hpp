// ^C and its like as events instead of as the end of the process.
#pragma once

#include <signal.h>

#include "slipway/owned_fd.hpp"

namespace slipway::cli {

/// While it lives, SIGINT, SIGTERM and SIGHUP are blocked in the calling thread and in threads started
/// later, and make fd() readable. A signal that was ignored stays ignored. Make it before any thread.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// For poll().
  int fd() const { return fd_.get(); }
  /// The signal that came, taken from the queue; 0 when there is none.
  int take();

 private:
  sigset_t before_;
  OwnedFd fd_;
};

}  // namespace slipway::cli
