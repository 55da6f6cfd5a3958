// The supervisor's one timer.
#pragma once

#include <cstdint>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// No time: nothing is due.
inline constexpr std::int64_t kNever = INT64_MAX;

/// Wakes the event loop at one moment of CLOCK_BOOTTIME. Not thread safe.
class Alarm {
 public:
  /// Throws kUnavailable when there is no descriptor for a timer.
  Alarm();
  /// For the event loop, level-triggered: the moment has come.
  int event_fd() const { return timer_.get(); }
  /// Replaces the moment, in nanoseconds; kNever for none. No system call when it is the same.
  void set(std::int64_t due_ns);
  /// Makes event_fd() unreadable.
  void clear();

 private:
  OwnedFd timer_;
  std::int64_t due_ns_ = kNever;
};

}  // namespace slipway::local
