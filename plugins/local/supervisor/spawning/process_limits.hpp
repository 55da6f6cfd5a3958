// Limits that a process takes with it: enforce=rlimit.
#pragma once

#include <sched.h>
#include <sys/resource.h>

#include <cstdint>

#include "plugins/local/engine/replica_needs.hpp"

namespace slipway::local {

/// What a child sets for itself before it becomes its program.
struct ProcessLimits {
  bool has_memory = false;
  rlimit memory{};  ///< RLIMIT_DATA: private writable memory of each process
  bool has_cpus = false;
  cpu_set_t cpus{};
};

/// Those of replica `index`. CPUs are taken in turn from those that this process may use, so that
/// the replicas of an app spread over them; when as many as there are may be used, or more, all
/// are. Nothing is set for limits that are not enforced in this way.
ProcessLimits process_limits(const Limits& limits, std::uint32_t index);

}  // namespace slipway::local
