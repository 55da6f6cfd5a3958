// Prints what an app and its replicas wait for while the app runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/cli/apps/failure_lines.hpp"
#include "slipway/status.hpp"

namespace slipway::cli {

/// The time that a wait must last before it is printed.
inline constexpr std::chrono::seconds kShortestPrintedWait{1};

/// A wait that has lasted for a second, or the end of an app's wait.
struct Wait {
  std::string role;                    ///< empty: the app itself
  std::vector<std::int32_t> replicas;  ///< those of the role that wait for the same thing
  std::int32_t attempt = 0;            ///< the next attempt of the first replica, from 1 on
  AppState state = AppState::kUnknown;
  /// What the replicas wait for, in the words of `status`. For the app: its message, or empty if
  /// the app no longer waits.
  std::string text;
  std::string next_attempt_at;  ///< the earliest time of a next attempt, in RFC 3339; or empty
};

using PrintWait = std::function<void(const Wait&)>;

/// Returns a function that prints a message for people: "w/0,1 wait for db to be healthy".
PrintWait wait_messages(std::string app_id);

/// Prints the message of a running app, such as the GPUs that it waits for, when the app has had a
/// message for a second. Also prints the end of that wait.
class AppMessage {
 public:
  explicit AppMessage(PrintWait print) : print_(std::move(print)) {}

  /// Prints the message if it is due. Returns the time until it is due, or nothing if no message is
  /// pending.
  std::optional<std::chrono::milliseconds> look(const Description& app);

 private:
  PrintWait print_;
  std::optional<std::chrono::steady_clock::time_point> since_;  // when the app first had a message
  bool is_printed_ = false;
};

/// Prints the waits of replicas that have lasted for a second.
class ReplicaWaits {
 public:
  /// Whether replicas share a printed wait.
  enum class Grouping {
    /// Replicas of a role that wait for the same thing are one wait. A wait for another role or for
    /// a free slot is printed once for each start or restart of the app, a wait for the next
    /// attempt once for each pause.
    kByRole,
    /// Each replica has waits of its own. Each thing that it waits for is printed once for each
    /// attempt.
    kByReplica,
  };

  ReplicaWaits(Grouping grouping, PrintWait print, ReplicaFilter filter = {})
      : grouping_(grouping), print_(std::move(print)), filter_(std::move(filter)) {}

  /// Prints the waits that are due. `app` must have every replica. Returns the time until the next
  /// wait is due if nothing changes, or nothing if none is pending.
  std::optional<std::chrono::milliseconds> look(const Description& app);

 private:
  /// What distinguishes one wait from another.
  struct Cause {
    std::string role;
    std::int32_t replica = -1;  // set only with kByReplica
    std::int32_t attempt = 0;   // likewise
    /// What the replicas wait for. Empty in the pause before the next attempt, because the number
    /// of seconds in its text changes with each description.
    std::string text;

    friend bool operator<(const Cause& a, const Cause& b) {
      return std::tie(a.role, a.replica, a.attempt, a.text) <
             std::tie(b.role, b.replica, b.attempt, b.text);
    }
  };
  std::map<Cause, Wait> waits_in(const Description& app) const;

  Grouping grouping_;
  PrintWait print_;
  ReplicaFilter filter_;
  std::map<Cause, std::chrono::steady_clock::time_point> since_;  // waits that are not printed yet
  std::set<Cause> printed_;
  std::int32_t restarts_ = 0;
};

}  // namespace slipway::cli
