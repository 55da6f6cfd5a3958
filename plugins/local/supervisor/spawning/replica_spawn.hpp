// The one place where a user's process is started.
#pragma once

#include <sys/resource.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "plugins/local/engine/private_mounts.hpp"
#include "plugins/local/engine/state_layout.hpp"
#include "plugins/local/supervisor/spawning/process_limits.hpp"

namespace slipway::local {

/// What a child was at when it failed; it writes this into its parent's memory.
struct SpawnTrouble {
  enum class At { kProgram, kCgroup, kLimits, kMounts };
  At at = At::kProgram;
  PrivateMounts::Failure mount;
  int error = 0;  ///< of a child without a record; 0: it runs its program
};

struct SpawnRequest {
  /// The replica's record, in shared memory; its word is {kStarting, attempt, launcher}. Null: the
  /// child is no replica but works for its launcher, and is killed when that ends.
  ReplicaHead* head = nullptr;
  ReplicaTail* tail = nullptr;
  std::uint32_t attempt = 0;
  std::int32_t launcher = 0;  ///< our own pid
  const char* program = nullptr;
  char* const* argv = nullptr;
  char* const* envp = nullptr;
  const char* cwd = nullptr;
  const rlimit* open_files = nullptr;  ///< RLIMIT_NOFILE to put back; null: leave it
  const int* kept = nullptr;           ///< ascending descriptors above 2 that the replica inherits
  std::size_t kept_count = 0;
  const ProcessLimits* limits = nullptr;  ///< null: none
  int doors[2] = {-1, -1};                ///< cgroup.procs of cgroups to enter; -1: none
  const PrivateMounts* mounts = nullptr;  ///< null: none
  SpawnTrouble* trouble = nullptr;        ///< needed with any of the three, and without a record
};

/// Starts the replica and returns its pid once it runs its program or has failed to:
/// `head->error_number` (without a record, `trouble->error`) is then the errno, and the child has
/// ended or is about to, unreaped.
/// Returns -errno when no child could be made.
///
/// The child shares the caller's memory and, where the kernel has close_range(), its descriptor
/// table until it is done, which makes a start cheap however large both are. In this order it
/// claims the record, enters its cgroups, takes a descriptor table of its own that keeps only 0, 1,
/// 2 and `kept` as they are here, leads a session and process group of its own, sets its limits,
/// mounts what it alone is to see, enters `cwd`, gets default signal dispositions and an empty
/// signal mask, and executes the program. The caller must have all signals blocked, and every
/// descriptor above 2 close-on-exec. A child that finds its record taken back ends without having
/// done anything.
std::int32_t spawn_replica(const SpawnRequest& request);

/// Takes bits out of the supervisor's umask that would lock it out of the log files that it makes;
/// children still get the umask as it was. Before the first start.
void keep_files_readable();

/// Where a child is until it runs its program or has ended.
class SpawnStage {
 public:
  /// False while a child is on it.
  bool is_free() const { return child_.load(std::memory_order_acquire) == 0; }
  /// Blocks until it is free.
  void await() const;

 private:
  friend std::int32_t begin_spawn(const SpawnRequest& request, SpawnStage& stage);
  alignas(64) [[maybe_unused]] char stack_[8 * 1024];
  std::atomic<std::int32_t> child_{0};  // the kernel clears it when the child has left our memory
};

/// Like spawn_replica(), but the caller goes on while the child is on its way: on a busy machine it
/// may take a turn of the scheduler until the child, which leads a session and with that a
/// scheduling group of its own, gets there. For requests with a record, without cgroups and mounts.
/// `request` and all that it points to must stay as they are until `stage` is free; then
/// `head->error_number` tells. Descriptors may change at once. Where this cannot be done (another
/// processor than x86-64, a sanitizer) it is spawn_replica().
std::int32_t begin_spawn(const SpawnRequest& request, SpawnStage& stage);

}  // namespace slipway::local
