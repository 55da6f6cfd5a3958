// Messages about failures while an app runs.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/cli/invocation/invocation.hpp"
#include "core/status/app_events.hpp"
#include "slipway/app_handle.hpp"

namespace slipway::cli {

/// Prints a line for each failed attempt and replica of an app: "w/0 exited with 7; retry 1 of 3
/// restarts the app". Replicas of a role that failed alike share a line.
class FailureLines {
 public:
  /// Borrows `invocation`, which must outlive this object.
  FailureLines(Invocation& invocation, AppHandle handle);

  /// Prints what `app`, which has every replica, shows and no earlier description showed. Of an app
  /// that has failed, leaves out the replica that failed first, because the last line names it.
  void print_new(const Description& app);

 private:
  const RetryLimit* limit_of(const std::string& role);

  Invocation& invocation_;
  AppHandle handle_;
  EventReader reader_;
  std::optional<std::map<std::string, RetryLimit>> limits_;  // by role, once a failure needs them
};

}  // namespace slipway::cli
