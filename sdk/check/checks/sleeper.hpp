// The app of --app with programs that sleep for ten minutes, or until it is cancelled; and how long
// a check waits for a call.
#pragma once

#include <chrono>
#include <string>

#include "sdk/check/host/scheduler_calls.hpp"

namespace slipway::check {

/// Submits an app that sleeps, and returns its id. Throws Inconclusive if the scheduler runs
/// nothing, for instance because it only records apps for another system. `owner_fd` is that of
/// SchedulerUnderTest::submit().
std::string submit_sleeper(const SchedulerUnderTest& scheduler, int owner_fd = -1);

/// Submits an app that sleeps. Without end(), the kit cancels it after the check.
class Sleeper {
 public:
  explicit Sleeper(const SchedulerUnderTest& scheduler)
      : scheduler_(scheduler), id_(submit_sleeper(scheduler)) {}
  const std::string& id() const { return id_; }
  /// Cancels the app and waits for its end.
  void end();

 private:
  const SchedulerUnderTest& scheduler_;
  std::string id_;
};

long milliseconds_since(std::chrono::steady_clock::time_point from);

/// Returns how long the kit waits for a call that should return soon: a quarter of the check's time
/// limit, because the machine may be busy.
long patience_ms(const Trial& trial);

}  // namespace slipway::check
