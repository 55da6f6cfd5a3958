// Follows an app's logs in a separate thread.
#pragma once

#include <memory>
#include <optional>

#include "core/cli/invocation/invocation.hpp"
#include "core/cli/terminal/interrupts.hpp"
#include "core/cli/terminal/plugin_thread.hpp"
#include "slipway/app_handle.hpp"

namespace slipway::cli {

/// Copies the logs of all replicas to standard error, each line with its prefix, until the app has
/// ended. The thread uses only the log iterator, so the caller may use the scheduler meanwhile (see
/// Threads in abi/base.h).
///
/// Copying ends at an error that is not temporary, and after 1000 temporary errors without a line.
class LogPump {
 public:
  /// Throws what Runner::log_lines() throws, Error(kUnavailable) if no descriptor is left, and
  /// Error(kTemporary) if no thread can be started.
  LogPump(Invocation& invocation, const AppHandle& handle);
  /// Stops the copying without waiting for further lines. If the scheduler does not stop within
  /// five seconds, leaves the thread running, and the command continues.
  ~LogPump();
  LogPump(const LogPump&) = delete;
  LogPump& operator=(const LogPump&) = delete;

  /// Waits until everything that the app wrote is copied. After an interrupt it waits at most five
  /// more seconds; a second interrupt ends the waiting. Returns whether everything is copied.
  bool finish(Interrupts& interrupts);

 private:
  struct Shared;
  static void copy(Shared& shared);
  /// Prints a warning if a failure ended the thread.
  void warn_of_failure() const;

  std::shared_ptr<Shared> shared_;  // also owned by the thread, which may outlive this object
  std::optional<PluginThread> thread_;
};

}  // namespace slipway::cli
