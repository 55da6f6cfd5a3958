// The events of an app: what its descriptions show that happened to it and to its replicas.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipway/status.hpp"

namespace slipway {

/// One event. The fields from `state` to `reason` have the meaning of those in AttemptStatus.
struct AppEvent {
  enum class Kind {
    kSubmitted,       ///< the scheduler accepted the app
    kStarted,         ///< the app began to run
    kReplicaStarted,  ///< an attempt of a replica began
    kAttemptEnded,    ///< an attempt ended, and another one follows
    kReplicaEnded,    ///< the last attempt of a replica ended, or the replica never ran
    kEnded,           ///< the app ended
  };
  Kind kind = Kind::kSubmitted;
  TimeNs time;
  std::string role;  ///< empty for events of the app
  std::int32_t replica = 0;
  std::int32_t attempt = 0;  ///< from 1 on; 0 for events of the app
  AppState state = AppState::kUnknown;
  std::optional<std::int32_t> exit_code;
  std::int32_t signal = 0;
  std::string reason;
  std::string msg;    ///< of kEnded: why the app failed
  std::string limit;  ///< of kReplicaEnded: the limit that the replica exceeded, if it is known
};

/// Returns the name of the kind in JSON: "replica_started", "attempt_ended", ...
const char* to_string(AppEvent::Kind kind);

/// Finds the events of one app in descriptions that include every replica. Not thread-safe.
class EventReader {
 public:
  /// Returns the events that `app` shows and no earlier description showed, in the order of time:
  /// first the beginning of the app, last its end. Events without a time come just before the end.
  /// Includes attempts that began and ended between two descriptions if the scheduler describes
  /// earlier attempts. If it only counts them, they have the events that descriptions showed
  /// before.
  std::vector<AppEvent> read(const Description& app);

 private:
  struct Seen {
    std::size_t started = 0;  // attempts whose start was returned
    std::size_t ended = 0;    // attempts whose end was returned
  };
  void read_replica(const std::string& role, const ReplicaStatus& replica,
                    std::vector<AppEvent>& out);

  std::map<std::pair<std::string, std::int32_t>, Seen> seen_;  // by role and replica
  bool is_submitted_ = false;
  bool is_started_ = false;
  bool has_ended_ = false;
};

/// The retries that a role may have, for the text of an event.
struct RetryLimit {
  std::int32_t max_retries = 0;
  RetryPolicy policy = RetryPolicy::kApplication;
};

/// Returns what happened, without the names of app and replica: "exited with 7; retry 1 of 3
/// restarts the app". `retry_limit` is that of the event's role, or null if it is unknown.
std::string event_text(const AppEvent& event, const RetryLimit* retry_limit = nullptr);

/// Returns the names of replicas of a role: "w/3", "w/0,1", or of many "w/0,1,2,3,4,5,6,7 and 12
/// other replicas". `replicas` must not be empty.
std::string replica_names(const std::string& role, const std::vector<std::int32_t>& replicas);

/// Returns whether users should learn of the event while they look at the logs: an attempt or a
/// replica failed, or the replica never ran because of another role. Replicas that the scheduler
/// restarts or cancels do not count.
bool is_failure(const AppEvent& event);

}  // namespace slipway
