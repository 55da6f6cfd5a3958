// Messages about what an app and its replicas wait for.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/cli/apps/failure_lines.hpp"
#include "slipway/status.hpp"

namespace slipway::cli {

/// Time for which something must wait before a line says so.
inline constexpr std::chrono::seconds kShortestTellableWait{1};

/// Prints the message of a running app, such as the GPUs that it waits for, once the app has had a
/// message for a second, and the end of that wait.
class AppMessage {
 public:
  explicit AppMessage(std::string app_id) : app_id_(std::move(app_id)) {}

  /// Returns the time until the message is due, or nothing when no message is pending.
  std::optional<std::chrono::milliseconds> look(const Description& app);

 private:
  std::string app_id_;
  std::optional<std::chrono::steady_clock::time_point> since_;
  bool is_printed_ = false;
};

/// Prints a line for replicas of a role that have waited for the same thing for a second: "w/0,1
/// wait for db to be healthy", in the words of `status`. Names another role, or a free slot, once
/// in each start of the app, and the next attempt once in each pause.
class WaitLines {
 public:
  explicit WaitLines(ReplicaFilter filter = {}) : filter_(std::move(filter)) {}

  /// `app` has every replica. Returns the time until the next line is due if nothing changes, or
  /// nothing when none is pending.
  std::optional<std::chrono::milliseconds> look(const Description& app);

 private:
  /// A role and what its replicas wait for. The pause before the next attempt has an empty text,
  /// because each of its descriptions has another number of seconds.
  using Cause = std::pair<std::string, std::string>;
  struct Waiting {
    std::vector<std::int32_t> replicas;
    std::string text;
    std::string until;  // the earliest time of a next attempt
  };
  std::map<Cause, Waiting> waits_in(const Description& app) const;

  ReplicaFilter filter_;
  std::map<Cause, std::chrono::steady_clock::time_point> since_;  // without a line so far
  std::set<Cause> printed_;
  std::int32_t restarts_ = 0;
};

}  // namespace slipway::cli
