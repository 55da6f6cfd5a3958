#include "core/runner/app_watch.hpp"

#include <sys/timerfd.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include "slipway/error.hpp"

namespace slipway {

namespace {

// Polls as often as TorchX, because each query may load a network service.
constexpr time_t kPollSeconds = 1;

OwnedFd poll_timer() {
  OwnedFd timer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  const itimerspec every{{kPollSeconds, 0}, {kPollSeconds, 0}};
  if (timer.get() < 0 || timerfd_settime(timer.get(), 0, &every, nullptr) != 0) {
    throw Error(Code::kUnavailable, "no timer is available for waiting",
                "raise the limit of open files (ulimit -n)");
  }
  return timer;
}

}  // namespace

AppWatch::AppWatch(const registry::PluginScheduler& scheduler, std::string app_id)
    : scheduler_(scheduler), app_id_(std::move(app_id)) {
  renew();
}

void AppWatch::renew() {
  events_.reset();
  if (auto events = scheduler_.events_open(app_id_, EventScope::kState)) {
    events_.emplace(std::move(*events));
  } else {
    timer_ = poll_timer();
  }
}

int AppWatch::fd() const { return events_ ? events_->fd() : timer_.get(); }

bool AppWatch::drain() {
  if (events_) return events_->drain();
  std::uint64_t expirations = 0;
  [[maybe_unused]] const auto got = ::read(timer_.get(), &expirations, sizeof expirations);
  return true;
}

}  // namespace slipway
