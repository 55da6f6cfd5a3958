// Following an app's logs beside something else, in a thread of its own.
#pragma once

#include <memory>
#include <thread>

#include "core/cli/invocation.hpp"
#include "core/logs/log_output.hpp"
#include "slipway/app_handle.hpp"

namespace slipway::cli {

/// Copies the logs of all replicas to standard error, each line with its prefix, until the app has ended. The thread uses
/// the log iterator alone; the scheduler itself stays free for the caller (the ABI's thread rule).
class LogPump {
 public:
  LogPump(Invocation& invocation, const AppHandle& handle);
  /// Stops at once; use join() to see everything first.
  ~LogPump();
  LogPump(const LogPump&) = delete;
  LogPump& operator=(const LogPump&) = delete;

  /// Returns when everything that the app wrote has been written out.
  void join();

 private:
  void copy();

  AppLogs logs_;
  logs::LogOutput output_;
  std::thread thread_;
};

}  // namespace slipway::cli
