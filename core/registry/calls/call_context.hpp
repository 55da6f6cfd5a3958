// The context of each call of a plug-in: its cancellation and its deadline.
#pragma once

#include <chrono>
#include <optional>

#include "slipway/abi/base.h"
#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

/// The object behind the ABI's opaque slipway_cancel: asks calls to stop while a descriptor is
/// readable, such as one that reports ^C, and after the limit of limit_calls(). It may serve
/// several calls.
struct slipway_cancel {
  /// Borrows `fd`; with -1, only the call limit asks calls to stop. Watches the limit of
  /// limit_calls() only if it is set already and the system has a descriptor left.
  explicit slipway_cancel(int fd) noexcept;

  /// Returns whether calls should stop. [any thread]
  bool is_requested() const noexcept;
  /// Returns a descriptor for poll() that is readable if is_requested() is true; -1 if nothing is
  /// watched. [any thread]
  int fd() const noexcept { return either_.get() >= 0 ? either_.get() : fd_; }

 private:
  int fd_;
  slipway::OwnedFd either_;  // an epoll of `fd_` and the call limit; empty if only `fd_` is watched
};

namespace slipway::registry {

using CallTime = std::chrono::steady_clock::time_point;

/// Returns the ABI's context of one call, with the deadline that end_calls_by() or limit_calls()
/// has set last, if any. Borrows `cancel`; if that is null, only limit_calls() can cancel the call.
slipway_call call_context(const slipway_cancel* cancel);

/// Sets the deadline of all later calls of this process. For a query process, which the command
/// kills after a time limit: a plug-in that knows the deadline can return a partial answer before
/// that.
void end_calls_by(CallTime deadline);

/// Limits all later calls of this process: they have the deadline `answer_by`, and those that still
/// run at `limit` are cancelled, if their slipway_cancel was made after this call. Throws Error
/// kUnavailable if the system has no descriptor left. Must not be called during a call.
void limit_calls(CallTime answer_by, CallTime limit);
/// Removes the limit, and the deadline, also that of end_calls_by(), for later calls. Must not be
/// called during a call.
void lift_call_limit();
/// Returns the time until the `limit` of limit_calls(), rounded up, and 0 after it; nullopt without
/// a limit.
std::optional<std::chrono::milliseconds> time_until_call_limit();
/// Returns whether an error with this code, which a call has just returned, comes from
/// limit_calls(): for kTimeout, whether `answer_by` is over, and for kCancelled, whether `limit`
/// is.
bool is_end_of_call_limit(Code code);

}  // namespace slipway::registry
