// What a replica needs of this machine besides a process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace slipway::local {

/// How limits are made to hold.
enum class Enforce : std::uint8_t {
  kNone = 0,
  kRlimit = 1,  ///< per process: RLIMIT_DATA, and affinity to as many CPUs
  kCgroup = 2,  ///< per replica: memory and cpu controllers
};

struct Limits {
  Enforce enforce = Enforce::kNone;
  std::int64_t memory_bytes = 0;  ///< 0: none
  std::int32_t cpus = 0;          ///< 0: none
};

/// A directory or file seen at another place, by that replica alone.
struct BindMount {
  std::string src;  ///< absolute
  std::string dst;  ///< absolute, exists
  bool read_only = false;
};

/// What must be true of all replicas of another role before this one starts.
struct Dependency {
  enum class Until : std::uint8_t {
    kStarted = 0,    ///< each has been started
    kSucceeded = 1,  ///< each has succeeded
    kHealthy = 2,    ///< each has been found ready in the attempt that runs, or succeeded after it
  };
  std::string role;
  Until until = Until::kStarted;
};

/// How to find out that a replica is ready, once it runs.
struct ReadyProbe {
  enum class Kind : std::uint8_t {
    kNone = 0,     ///< nobody asks
    kTcp = 1,      ///< a TCP connection can be made
    kCommand = 2,  ///< a command exits with 0
    kLog = 3,      ///< a line of its output matches
  };
  Kind kind = Kind::kNone;
  std::string address;    ///< kTcp: numeric, IPv4 or IPv6; empty: this machine's, either
  std::string port_name;  ///< kTcp: which of LaunchGroup::ports; empty: `port`
  std::uint16_t port = 0;
  std::vector<std::string>
      command;                      ///< kCommand: as LaunchGroup::argv; macros in all but the first
  std::string pattern;              ///< kLog: a regular expression (sdk/support/line_pattern.hpp)
  std::int64_t interval_ms = 1000;  ///< > 0: longest pause between two looks
  std::int64_t timeout_ms = 5000;   ///< > 0: how long a connection or command may take
  std::int64_t within_ms = 60'000;  ///< from its start until it must be ready; 0: any time
};

struct ReplicaNeeds {
  std::int32_t gpus = 0;  ///< that are leased for it; a group with any is of one replica
  Limits limits;
  std::vector<BindMount> mounts;
  std::vector<Dependency> after;  ///< the same in all groups of a role; never in a circle
  ReadyProbe ready;               ///< of the same kind in all groups of a role
};

}  // namespace slipway::local
