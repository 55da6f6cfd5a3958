// ^C and similar signals as events that a command can wait for.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <cstdint>
#include <optional>

#include "slipway/owned_fd.hpp"

namespace slipway::cli {

/// Blocks SIGINT, SIGTERM and SIGHUP in the calling thread, and in threads that it starts later,
/// for the lifetime of the object; on a terminal also SIGQUIT, which ^\ sends. Each such signal
/// makes fd() readable. A signal that was ignored stays ignored. From the first signal on, broken
/// pipes do not end the process (survive_broken_pipes()). Must be constructed before the process
/// starts a thread.
class Interrupts {
 public:
  /// Throws Error(kUnavailable) if no descriptor is left.
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// Returns the descriptor to poll().
  int fd() const { return forwarded_.get() >= 0 ? forwarded_.get() : fd_.get(); }
  /// Removes the oldest signal from the queue and returns it, or 0 when the queue is empty.
  int take();

  /// Lets a second signal end the process while a call hangs. If the caller has not called
  /// handled() a second or two after a signal, prints the plug-in and the call that it waits for.
  /// If a signal comes five seconds or more after an earlier one, and the caller has not called
  /// handled() since, prints an error and ends the process with kExitInterrupted. Does nothing if
  /// no descriptor or thread is left.
  ///
  /// Rationale: calls of a scheduler have no time limit, and signals are blocked during a call. A
  /// separate thread therefore reads the signals and forwards them to fd(). Until it prints a
  /// message, this thread does not allocate or free memory, because its first such call would
  /// create a heap for the thread, which takes time. It is not a std::thread, which frees its
  /// state.
  void end_when_stuck();
  /// Declares that the caller has handled all signals that it took, and will poll fd() next.
  void handled() { pending_since_ns_ = 0; }

 private:
  void forward();

  sigset_t mask_before_;  // the thread's signal mask before this object
  OwnedFd fd_;            // a signalfd of the blocked signals
  OwnedFd forwarded_;     // the reading end of a pipe with the signals that the thread has read
  OwnedFd forward_to_;    // the writing end of this pipe
  OwnedFd stop_;          // the writing end of a pipe that tells the thread to end
  OwnedFd stopped_;       // the reading end of this pipe, which hangs up when the thread must end
  // When the oldest signal came that is not handled yet, by the steady clock; 0 if there is none.
  std::atomic<std::int64_t> pending_since_ns_{0};
  std::optional<pthread_t> thread_;  // set by end_when_stuck()
};

}  // namespace slipway::cli
