// What a new process does until it is the replica.
#pragma once

#include "plugins/local/supervisor/spawning/replica_spawn.hpp"

namespace slipway::local {

/// The umask of every child, where it differs from the supervisor's; else -1. Like the umask
/// itself, it is the process's.
extern int child_umask;

/// Runs in a child, in its parent's memory and perhaps beside it: claims the record, becomes the
/// program as spawn_replica() says, or tells why it cannot and ends. Allocates nothing, and makes
/// bare system calls only, but for mounts: with these the parent must be waiting.
[[noreturn]] void replica_main(const SpawnRequest* request);

}  // namespace slipway::local
