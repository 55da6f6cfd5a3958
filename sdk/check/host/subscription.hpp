// Subscribes to apps for checks.
#pragma once

#include <string>

#include "sdk/check/host/scheduler_calls.hpp"

namespace slipway::check {

/// A subscription to the state of an app, which the destructor closes. None if the scheduler has no
/// events.
class Subscription {
 public:
  /// Throws Broken and Inconclusive.
  Subscription(const SchedulerUnderTest& scheduler, const std::string& app_id);
  ~Subscription();
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

  /// Returns whether the scheduler has events. Only then may fd() and drain() be called.
  explicit operator bool() const { return events_ != nullptr; }
  int fd() const { return scheduler_.table().events_fd(events_); }
  /// Calls events_drain and does not judge the answer. Records no step, because checks also call it
  /// in threads that must not write to the progress page.
  Answer drain() const;

 private:
  const SchedulerUnderTest& scheduler_;
  slipway_events* events_ = nullptr;
};

}  // namespace slipway::check
