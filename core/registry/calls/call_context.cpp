#include "core/registry/calls/call_context.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

#include "slipway/error.hpp"

slipway_cancel::slipway_cancel() : event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (event.get() < 0) {
    throw slipway::Error(slipway::Code::kUnavailable, "no descriptor is available to cancel a call",
                         "raise the limit of open files (ulimit -n)");
  }
}

void slipway_cancel::request() noexcept {
  requested.store(1, std::memory_order_relaxed);
  const std::uint64_t one = 1;
  if (event.get() < 0) return;
  // The write fails only if the counter is full, and then the descriptor is already readable.
  [[maybe_unused]] const auto written = ::write(event.get(), &one, sizeof one);
}

bool slipway_cancel::is_requested() const noexcept {
  if (requested.load(std::memory_order_relaxed) != 0) return true;
  pollfd watching{watched, POLLIN, 0};
  return watched >= 0 && ::poll(&watching, 1, 0) > 0;
}

namespace slipway::registry {

namespace {

std::int64_t process_deadline_ns = 0;  // on CLOCK_MONOTONIC; 0: none

}  // namespace

void end_calls_by(std::chrono::steady_clock::time_point deadline) {
  process_deadline_ns = std::chrono::nanoseconds(deadline.time_since_epoch()).count();
}

slipway_call call_context(const slipway_cancel* cancel) {
  slipway_call call{};
  call.struct_size = sizeof call;
  call.cancel = cancel;
  call.deadline_ns = process_deadline_ns;
  return call;
}

}  // namespace slipway::registry
