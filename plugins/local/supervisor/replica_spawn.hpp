// The one place where a user's process is started.
#pragma once

#include <sys/resource.h>

#include <cstdint>

#include "plugins/local/engine/state_layout.hpp"

namespace slipway::local {

struct SpawnRequest {
  ReplicaRecord* record =
      nullptr;  ///< in shared memory; its word is {kStarting, attempt, launcher}
  std::uint32_t attempt = 0;
  std::int32_t launcher = 0;  ///< our own pid
  const char* program = nullptr;
  char* const* argv = nullptr;
  char* const* envp = nullptr;
  const char* cwd = nullptr;
  const rlimit* open_files = nullptr;  ///< RLIMIT_NOFILE to put back; null: leave it
};

/// Starts the replica and returns its pid once it runs its program or has failed to:
/// `record->error_number` is then the errno, and the child has ended or is about to, unreaped.
/// Returns -errno when no child could be made.
///
/// The child shares the caller's memory and descriptor table until it is done (clone3 with VM,
/// VFORK and FILES), which makes a start cheap however large both are. In this order it claims the
/// record, takes a descriptor table of its own that keeps only 0, 1 and 2 as they are here, leads a
/// session and process group of its own, enters `cwd`, gets default signal dispositions and an
/// empty signal mask, and executes the program. The caller must have all signals blocked. A child
/// that finds its record taken back ends without having done anything.
std::int32_t spawn_replica(const SpawnRequest& request);

}  // namespace slipway::local
