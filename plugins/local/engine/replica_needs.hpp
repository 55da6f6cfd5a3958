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
  };
  std::string role;
  Until until = Until::kStarted;
};

struct ReplicaNeeds {
  std::int32_t gpus = 0;  ///< that are leased for it; a group with any is of one replica
  Limits limits;
  std::vector<BindMount> mounts;
  std::vector<Dependency> after;  ///< the same in all groups of a role; never in a circle
};

}  // namespace slipway::local
