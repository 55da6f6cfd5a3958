// The supervisor's one timer.
#pragma once

#include <cstdint>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Stands for "nothing is due".
inline constexpr std::int64_t kNever = INT64_MAX;

/// Wakes the event loop at one moment of CLOCK_BOOTTIME, also one in the past. Not thread safe.
class Alarm {
 public:
  /// Throws kUnavailable if no descriptor is left.
  Alarm();
  /// Becomes readable at the moment. For the event loop, level-triggered.
  int event_fd() const { return timer_.get(); }
  /// Replaces the moment, in nanoseconds; kNever removes it. Makes no system call if it is the
  /// same.
  void set(std::int64_t due_ns);
  /// Makes event_fd() unreadable and removes a moment that has come.
  void clear();

 private:
  OwnedFd timer_;
  std::int64_t due_ns_ = kNever;
};

}  // namespace slipway::local
