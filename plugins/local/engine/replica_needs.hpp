// The needs of a replica besides its command: GPUs, limits, mounts, order and readiness.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugins/local/engine/app_rules.hpp"

namespace slipway::local {

/// The way in which limits are enforced.
enum class Enforce : std::uint8_t {
  kNone = 0,
  kRlimit = 1,  ///< per process: RLIMIT_DATA, and affinity to as many CPUs, rounded up
  kCgroup = 2,  ///< per replica: memory and cpu controllers
};

/// Limits on the memory and the CPUs of a replica.
struct Limits {
  Enforce enforce = Enforce::kNone;
  std::int64_t memory_bytes = 0;  ///< 0: none
  std::int64_t cpu_milli = 0;     ///< thousandths of a CPU; 0: none
};

/// A directory or file that the replica also sees at another path. Other processes do not.
struct BindMount {
  std::string src;  ///< absolute
  std::string dst;  ///< absolute, exists
  bool read_only = false;
};

struct ReplicaNeeds {
  std::int32_t gpus = 0;  ///< leased GPUs; > 0 only in a group of one replica
  Limits limits;
  std::vector<BindMount> mounts;
  std::vector<Dependency> after;  ///< the same in all groups of a role; without cycles
  ReadyProbe ready;               ///< of the same kind in all groups of a role
};

}  // namespace slipway::local
