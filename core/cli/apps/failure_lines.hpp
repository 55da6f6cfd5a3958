// Messages about failures while an app runs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/cli/apps/retry_limits.hpp"
#include "core/cli/invocation/invocation.hpp"
#include "core/status/app_events.hpp"
#include "slipway/app_handle.hpp"

namespace slipway::cli {

/// Returns whether a command prints lines about the replica. An empty function means every replica.
using ReplicaFilter = std::function<bool(const std::string& role, std::int32_t replica)>;

/// Prints a line for each failed attempt and replica of an app: "w/0 exited with 7; retry 1 of 3
/// restarts the app". Replicas of a role that failed in the same way share a line.
class FailureLines {
 public:
  /// What the command itself reports after the end: the first failure (kNamesFirst) or nothing.
  /// With kNamesFirst this class prints no line for that failure, unless it did so while other
  /// replicas ran.
  enum class AtEnd { kNamesFirst, kNothing };

  /// Borrows `invocation`, which must outlive this object.
  FailureLines(Invocation& invocation, AppHandle handle, AtEnd at_end, ReplicaFilter filter = {});

  /// Prints the failures that `app` shows and no earlier description showed. `app` must have every
  /// replica.
  void print_new(const Description& app);

  /// Treats the failures that `app` shows as printed.
  void skip(const Description& app) { reader_.read(app); }

 private:
  RetryLimits limits_;
  AtEnd at_end_;
  ReplicaFilter filter_;
  EventReader reader_;
};

}  // namespace slipway::cli
