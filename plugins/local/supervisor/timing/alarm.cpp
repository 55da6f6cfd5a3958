#include "plugins/local/supervisor/timing/alarm.hpp"

#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "plugins/local/engine/boot_clock.hpp"
#include "plugins/local/engine/file_io.hpp"

namespace slipway::local {

Alarm::Alarm() : timer_(::timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK)) {
  if (!timer_) throw system_error(Code::kUnavailable, "cannot make", "a timer", errno);
}

void Alarm::set(std::int64_t due_ns) {
  if (due_ns == due_ns_) return;
  due_ns_ = due_ns;
  itimerspec when{};
  if (due_ns != kNever) {
    // Zero would disarm the timer; a moment in the past expires at once.
    const std::int64_t at = std::max<std::int64_t>(due_ns + boot_clock_offset(), 1);
    when.it_value.tv_sec = at / 1'000'000'000;
    when.it_value.tv_nsec = at % 1'000'000'000;
  }
  ::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &when, nullptr);
}

void Alarm::clear() {
  std::uint64_t expirations = 0;
  if (::read(timer_.get(), &expirations, sizeof expirations) > 0) due_ns_ = kNever;
}

}  // namespace slipway::local
