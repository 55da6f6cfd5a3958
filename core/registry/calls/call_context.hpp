// What the host hands to a plug-in with each call: a way to stop it, and a deadline.
#pragma once

#include <atomic>
#include <chrono>

#include "slipway/abi/base.h"
#include "slipway/owned_fd.hpp"

/// The object behind the ABI's opaque slipway_cancel. One may serve many calls; once requested it
/// stays so.
struct slipway_cancel {
  /// Throws Error kUnavailable when the system gives no descriptor.
  slipway_cancel();
  /// Requested, too, for as long as `fd` (borrowed) is readable: ^C as an event, say.
  explicit slipway_cancel(int fd) noexcept : watched(fd) {}

  /// [any thread, and in a signal handler] Asks every call that carries this object to stop.
  void request() noexcept;

  /// [any thread]
  bool is_requested() const noexcept;
  /// For poll(): readable once requested. [any thread]
  int fd() const noexcept { return watched >= 0 ? watched : event.get(); }

  std::atomic<int> requested{0};
  slipway::OwnedFd event;  // readable once requested
  int watched = -1;        // instead of `event`
};

namespace slipway::registry {

/// The ABI's context of one call; `cancel` is borrowed and may be null. Without a deadline, unless
/// end_calls_by() set one.
slipway_call call_context(const slipway_cancel* cancel);

/// Sets the deadline of all later calls of this process. For query processes, which are given up
/// after a time limit: a plug-in that knows the limit can still answer with what it has.
void end_calls_by(std::chrono::steady_clock::time_point deadline);

}  // namespace slipway::registry
