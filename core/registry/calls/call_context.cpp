#include "core/registry/calls/call_context.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <cstdint>

namespace slipway::registry {

namespace {

std::int64_t nanoseconds(CallTime time) {
  return std::chrono::nanoseconds(time.time_since_epoch()).count();
}

// A limit of the calls of this process, with a timer that is readable once it has passed.
struct CallLimit {
  CallTime answer_by;  // the deadline of each call
  CallTime end;        // when the calls that still run are cancelled
  OwnedFd timer;
  slipway_cancel cancel;  // watches the timer, for calls that nothing else can cancel
};

std::optional<CallTime> process_deadline;
std::optional<CallLimit> process_limit;

int limit_timer() { return process_limit ? process_limit->timer.get() : -1; }

OwnedFd timer_at(CallTime time) {
  OwnedFd out(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  const std::int64_t at = std::max<std::int64_t>(1, nanoseconds(time));  // 0 would disarm it
  itimerspec setting{};
  setting.it_value = {static_cast<std::time_t>(at / 1'000'000'000),
                      static_cast<long>(at % 1'000'000'000)};
  if (out.get() < 0 || ::timerfd_settime(out.get(), TFD_TIMER_ABSTIME, &setting, nullptr) != 0) {
    throw Error(Code::kUnavailable, "no descriptor is left for the time limit",
                "raise the limit of open files (ulimit -n)");
  }
  return out;
}

}  // namespace

void end_calls_by(CallTime deadline) { process_deadline = deadline; }

void limit_calls(CallTime answer_by, CallTime limit) {
  process_limit.reset();  // so that the new `cancel` does not watch the old timer
  OwnedFd timer = timer_at(limit);
  const int fd = timer.get();
  process_limit.emplace(CallLimit{answer_by, limit, std::move(timer), slipway_cancel(fd)});
  process_deadline = answer_by;
}

void lift_call_limit() {
  process_limit.reset();
  process_deadline.reset();
}

std::optional<std::chrono::milliseconds> time_until_call_limit() {
  if (!process_limit) return std::nullopt;
  const auto left = process_limit->end - CallTime::clock::now();
  return std::max(std::chrono::ceil<std::chrono::milliseconds>(left), std::chrono::milliseconds(0));
}

bool is_end_of_call_limit(Code code) {
  if (!process_limit) return false;
  const CallTime now = CallTime::clock::now();
  // A plug-in reports kTimeout at its deadline, before the end of the limit. An earlier kTimeout
  // has another cause.
  if (code == Code::kTimeout) return now >= process_limit->answer_by;
  // An error after ^C also has the code kCancelled, but comes before the end of the limit.
  return code == Code::kCancelled && now >= process_limit->end;
}

slipway_call call_context(const slipway_cancel* cancel) {
  slipway_call call{};
  call.struct_size = sizeof call;
  call.cancel = cancel == nullptr && process_limit ? &process_limit->cancel : cancel;
  call.deadline_ns = process_deadline ? nanoseconds(*process_deadline) : 0;
  return call;
}

}  // namespace slipway::registry

slipway_cancel::slipway_cancel(int fd) noexcept : fd_(fd) {
  using slipway::registry::limit_timer;
  if (limit_timer() < 0) return;
  either_ = slipway::OwnedFd(::epoll_create1(EPOLL_CLOEXEC));
  epoll_event readable{};
  readable.events = EPOLLIN;
  const bool watches_all =
      (fd < 0 || ::epoll_ctl(either_.get(), EPOLL_CTL_ADD, fd, &readable) == 0) &&
      ::epoll_ctl(either_.get(), EPOLL_CTL_ADD, limit_timer(), &readable) == 0;
  if (!watches_all) either_.reset();  // fd() then returns `fd`
}

bool slipway_cancel::is_requested() const noexcept {
  pollfd watching{fd(), POLLIN, 0};
  return fd() >= 0 && ::poll(&watching, 1, 0) > 0;
}
