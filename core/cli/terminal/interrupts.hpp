// ^C and its like as events instead of as the end of the process.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "slipway/owned_fd.hpp"

namespace slipway::cli {

/// While it lives, SIGINT, SIGTERM and SIGHUP are blocked in the calling thread and in threads
/// started later, and make fd() readable. A signal that was ignored stays ignored. Make it before
/// any thread.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// For poll().
  int fd() const { return forwarded_.get() >= 0 ? forwarded_.get() : fd_.get(); }
  /// Takes the oldest signal from the queue; 0 when there is none.
  int take();

  /// From here a call that hangs cannot make the process deaf: a signal that comes five seconds or
  /// more after another one, before handled() says that the caller polls again, prints one error
  /// and ends the process with kExitInterrupted.
  ///
  /// Rationale: calls of the chosen scheduler have no time limit, and signals are blocked
  /// meanwhile. A thread of its own reads the signals and forwards them to fd().
  void end_when_stuck();
  /// The caller has dealt with all signals that it has taken, and polls fd() next.
  void handled() { pending_since_ns_ = 0; }

 private:
  void forward();

  sigset_t before_;
  OwnedFd fd_;
  OwnedFd forwarded_;  // what the thread has read
  OwnedFd forward_to_;
  OwnedFd stop_;
  OwnedFd stopped_;  // hangs up when the thread has to end
  std::atomic<std::int64_t> pending_since_ns_{0};
  std::thread thread_;
};

}  // namespace slipway::cli
