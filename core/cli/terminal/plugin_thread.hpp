// A thread that calls plug-ins.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace slipway::cli {

/// Runs a function that calls plug-ins in a thread of its own, which has a stack for plug-ins and
/// reports their crashes. Not thread-safe.
class PluginThread {
 public:
  /// Starts `work`. An exception ends it. Throws Error(kUnavailable) if no descriptor is left, and
  /// Error(kTemporary) if no thread can be started; `hint` says what to do then.
  PluginThread(std::function<void()> work, const char* hint);
  /// join_or_leave() must have been called.
  ~PluginThread();
  PluginThread(const PluginThread&) = delete;
  PluginThread& operator=(const PluginThread&) = delete;

  /// Returns a descriptor that becomes readable when the work has ended.
  int done_fd() const;

  using Clock = std::chrono::steady_clock;
  /// The limit of the wait for plug-ins that were asked to end their work.
  static constexpr std::chrono::seconds kEndPatience{5};
  /// Waits until the work has ended, at most until `end`. If it has not ended then, detaches the
  /// thread, which keeps `work` alive, and returns false. Must be called exactly once.
  bool join_or_leave(Clock::time_point end = Clock::now() + kEndPatience);

  /// Returns the message of the exception that ended the work, or nothing. May be called only after
  /// join_or_leave() returned true.
  const std::optional<std::string>& failure() const;

 private:
  struct State;
  std::shared_ptr<State> state_;  // also owned by the thread
  std::thread thread_;
};

}  // namespace slipway::cli
