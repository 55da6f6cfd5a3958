// The rules for the start of a replica: the order of roles, and readiness.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace slipway::rules {

/// The state that all replicas of another role must reach before this replica starts. Records of
/// the local schedulers hold the numbers of Until.
struct Dependency {
  enum class Until : std::uint8_t {
    kStarted = 0,    ///< each has been started
    kSucceeded = 1,  ///< each has succeeded
    kHealthy = 2,    ///< the probe of each has passed in its last attempt, which runs or succeeded
  };
  std::string role;
  Until until = Until::kStarted;
};

/// What is known about a replica of the other role, in its last attempt.
struct AwaitedReplica {
  bool has_started = false;  ///< since its role or app last started again
  bool is_running = false;
  bool has_succeeded = false;
  bool has_failed = false;  ///< for good
  bool is_ready = false;    ///< only needed for kHealthy
};

/// Returns whether the replica has reached the state.
inline bool is_met(Dependency::Until until, const AwaitedReplica& replica) {
  switch (until) {
    case Dependency::Until::kStarted: return replica.has_started;
    case Dependency::Until::kSucceeded: return replica.has_succeeded;
    case Dependency::Until::kHealthy:
      return (replica.is_running || replica.has_succeeded) && replica.is_ready;
  }
  return true;
}

/// Returns whether only a restart of its role or app could let the replica reach the state.
inline bool can_never_be_met(Dependency::Until until, const AwaitedReplica& replica) {
  // A replica that succeeded before its probe passed will never become ready.
  if (until == Dependency::Until::kHealthy && replica.has_succeeded) return !replica.is_ready;
  // A failed replica had started, unless it failed because of its own dependencies.
  return replica.has_failed && (until != Dependency::Until::kStarted || !replica.has_started);
}

/// The readiness probe of a running replica. Records of the local schedulers hold the numbers of
/// Kind.
struct ReadyProbe {
  /// When the probe passes.
  enum class Kind : std::uint8_t {
    kNone = 0,     ///< the replica has no probe
    kTcp = 1,      ///< a TCP connection is possible
    kCommand = 2,  ///< a command exits with 0
    kLog = 3,      ///< a line of the replica's output matches
  };
  Kind kind = Kind::kNone;
  /// kTcp: a numeric IPv4 or IPv6 address; empty: 127.0.0.1, then ::1, and on Docker the address of
  /// the container.
  std::string address;
  std::string port_name;  ///< kTcp: a name in the ports of the role; empty: `port` is the port
  std::uint16_t port = 0;
  /// kCommand: program and arguments. The macros of ports and hosts may be in every word, TorchX's
  /// macros not in command[0].
  std::vector<std::string> command;
  std::string pattern;              ///< kLog: a regular expression (sdk/support/line_pattern.hpp)
  std::int64_t interval_ms = 1000;  ///< > 0: longest pause between two checks
  std::int64_t timeout_ms = 5000;   ///< > 0: limit of one connection or command
  std::int64_t within_ms = 60'000;  ///< limit from its start until it is ready; 0: none
};

}  // namespace slipway::rules
