// The context of each call of a plug-in: its cancellation and its deadline.
#pragma once

#include <atomic>
#include <chrono>

#include "slipway/abi/base.h"
#include "slipway/owned_fd.hpp"

/// The object behind the ABI's opaque slipway_cancel. It may serve several calls. A requested
/// cancellation cannot be withdrawn.
struct slipway_cancel {
  /// Throws Error kUnavailable if the system has no descriptor left.
  slipway_cancel();
  /// Makes an object that also counts as requested while `fd` is readable, such as a descriptor
  /// that reports ^C. Borrows `fd`.
  explicit slipway_cancel(int fd) noexcept : watched(fd) {}

  /// Asks every call with this object to stop. [any thread, and in a signal handler]
  void request() noexcept;

  /// Returns whether calls should stop. [any thread]
  bool is_requested() const noexcept;
  /// Returns a descriptor for poll() that is readable once cancellation is requested. [any thread]
  int fd() const noexcept { return watched >= 0 ? watched : event.get(); }

  std::atomic<int> requested{0};
  slipway::OwnedFd event;  // readable once requested
  int watched = -1;        // used instead of `event` unless -1
};

namespace slipway::registry {

/// Returns the ABI's context of one call, with the deadline of end_calls_by(), if any. Borrows
/// `cancel`, which may be null.
slipway_call call_context(const slipway_cancel* cancel);

/// Sets the deadline of all later calls of this process. The command kills a query process after a
/// time limit; a plug-in that knows the deadline can return a partial answer in time.
void end_calls_by(std::chrono::steady_clock::time_point deadline);

}  // namespace slipway::registry
