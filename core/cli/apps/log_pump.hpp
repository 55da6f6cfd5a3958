// Following an app's logs beside something else, in a thread of its own.
#pragma once

#include <memory>
#include <thread>

#include "core/cli/invocation/invocation.hpp"
#include "core/cli/terminal/interrupts.hpp"
#include "slipway/app_handle.hpp"

namespace slipway::cli {

/// Copies the logs of all replicas to standard error, each line with its prefix, until the app has
/// ended. The thread uses the log iterator alone; the scheduler itself stays free for the caller
/// (the ABI's thread rule).
///
/// An error that comes a second time without a line in between ends the logs: the scheduler does
/// not get past it.
class LogPump {
 public:
  /// Throws kTemporary when no thread can be started, and what Runner::log_lines() throws.
  LogPump(Invocation& invocation, const AppHandle& handle);
  /// Stops the logs; use finish() to see everything first. A scheduler that does not stop within
  /// five seconds keeps its thread, and the command goes on without it.
  ~LogPump();
  LogPump(const LogPump&) = delete;
  LogPump& operator=(const LogPump&) = delete;

  /// Returns when everything that the app wrote has been written out. An interrupt gives the
  /// scheduler five more seconds, and a second one none.
  void finish(Interrupts& interrupts);

 private:
  struct Shared;
  static void copy(Shared& shared);
  /// Reports what ended the thread, if that was no end of the logs.
  void warn_of_failure() const;

  std::shared_ptr<Shared> shared_;  // the thread's, too, which may outlive this object
  std::thread thread_;
};

}  // namespace slipway::cli
