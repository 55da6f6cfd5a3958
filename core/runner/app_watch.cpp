#include "core/runner/app_watch.hpp"

#include <sys/timerfd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "slipway/error.hpp"

namespace slipway {

namespace {

// An app that has just started changes soon, and the end of a short app should be seen at once.
// Each query may be work for a network service, so the pauses grow.
constexpr std::chrono::milliseconds kFirstPollPause{20};
constexpr std::chrono::milliseconds kLongestPollPause{2000};

OwnedFd poll_timer() {
  OwnedFd timer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  if (timer.get() < 0) {
    const bool is_shortage = errno == EMFILE || errno == ENFILE;
    throw Error(Code::kUnavailable,
                std::string("no timer is available for waiting: ") + std::strerror(errno),
                is_shortage ? "raise the limit of open files (ulimit -n)" : "");
  }
  return timer;
}

}  // namespace

AppWatch::AppWatch(const registry::PluginScheduler& scheduler, std::string app_id, EventScope scope)
    : scheduler_(scheduler), app_id_(std::move(app_id)), scope_(scope) {
  renew();
}

void AppWatch::renew() {
  events_.reset();
  if (auto events = scheduler_.events_open(app_id_, scope_)) {
    events_.emplace(std::move(*events));
  } else {
    timer_ = poll_timer();
    pause_ = kFirstPollPause;
    start_timer();
  }
}

void AppWatch::start_timer() {
  itimerspec once{};
  once.it_value = {pause_.count() / 1000, pause_.count() % 1000 * 1'000'000};
  ::timerfd_settime(timer_.get(), 0, &once, nullptr);
}

int AppWatch::fd() const { return events_ ? events_->fd() : timer_.get(); }

bool AppWatch::drain() {
  if (events_) return events_->drain();
  pause_ = std::min(pause_ * 2, kLongestPollPause);
  start_timer();  // also makes the descriptor unreadable
  return true;
}

}  // namespace slipway
