// Starts the processes of replicas and of the commands of readiness probes.
#pragma once

#include <sched.h>
#include <sys/resource.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "plugins/local/engine/private_mounts.hpp"
#include "plugins/local/engine/state_layout.hpp"

namespace slipway::local {

/// enforce=rlimit: limits that a child sets for itself before it executes its program.
struct ProcessLimits {
  bool has_memory = false;
  rlimit memory{};  ///< RLIMIT_DATA: private writable memory of each process
  bool has_cpus = false;
  cpu_set_t cpus{};
};

/// The step at which a child failed. The child writes it into its parent's memory.
struct SpawnTrouble {
  enum class Step { kProgram, kCgroup, kLimits, kMounts };  // kProgram: any other step
  Step step = Step::kProgram;
  PrivateMounts::Failure mount;  ///< for Step::kMounts
  int error = 0;                 ///< errno of a child without an entry; 0: it runs its program
};

/// The input of spawn_replica() and begin_spawn(). Pointers are borrowed.
struct SpawnRequest {
  /// The replica's entry in shared memory; its word is {kStarting, attempt, launcher}. Null for a
  /// probe command, which the kernel kills when its launcher ends.
  ReplicaHead* head = nullptr;
  std::uint32_t attempt = 0;
  std::int32_t launcher = 0;  ///< pid of this process
  const char* program = nullptr;
  char* const* argv = nullptr;
  char* const* envp = nullptr;
  const char* cwd = nullptr;
  const rlimit* open_files = nullptr;  ///< RLIMIT_NOFILE to put back; null: leave it
  const int* kept = nullptr;           ///< ascending descriptors above 2 that the replica inherits
  std::size_t kept_count = 0;
  const ProcessLimits* limits = nullptr;  ///< null: none
  /// Descriptors of cgroup.procs: one for each hierarchy of v1, the first alone for v2; -1: none.
  int cgroup_procs[2] = {-1, -1};
  const PrivateMounts* mounts = nullptr;  ///< null: none
  /// Required if there are limits, cgroups or mounts, or if there is no entry.
  SpawnTrouble* trouble = nullptr;
};

/// Starts the replica and returns its pid when it runs its program or has failed. After a failure
/// `head->error_number` (without an entry, `trouble->error`) is the errno, and the child has ended
/// or will end at once; the caller reaps it. Returns -errno if the system could make no child.
///
/// Until it executes the program, the child shares the caller's memory and, where the kernel has
/// close_range(), its descriptor table. So the cost of a start does not depend on their sizes. The
/// child takes these steps: it gives SIGBUS its default action; claims its entry, if any; enters
/// its cgroups; gets its own descriptor table with 0, 1, 2 and `kept`; leads its own session and
/// process group; sets its umask and limits; makes its mounts; without an entry, asks the kernel to
/// kill it when its launcher ends; enters `cwd`; empties its signal mask; executes the program. If
/// a successor has taken back the entry, the child ends at its claim.
///
/// The caller has blocked all signals but SIGBUS (state_guard.hpp), and every descriptor above 2 is
/// close-on-exec.
std::int32_t spawn_replica(const SpawnRequest& request);

/// Removes the bits from the supervisor's umask that would make its own log files unreadable to it.
/// Children still get the original umask. Must be called before the first start.
void keep_files_readable();

/// The stack of a child until it executes its program or ends.
class SpawnStage {
 public:
  /// Returns false while a child uses it.
  bool is_free() const { return child_.load(std::memory_order_acquire) == 0; }
  /// Blocks until it is free.
  void await() const;

 private:
  friend std::int32_t begin_spawn(const SpawnRequest& request, SpawnStage& stage);
  // Small, because without mounts the child makes raw system calls only.
  alignas(64) [[maybe_unused]] char stack_[8 * 1024];
  std::atomic<std::int32_t> child_{0};  // the kernel clears it when the child leaves this memory
};

/// Starts a replica as spawn_replica() does, but returns before the child executes its program. On
/// a busy machine the child, which leads its own session and thereby its own scheduling group, may
/// have to wait for the processor. The request must have an entry, and neither cgroups nor mounts.
///
/// `stage` must be free, and must live until it is free again. Until then, `request` and everything
/// that it points to must not change. From then on `head->error_number` is 0 or the errno, if the
/// caller set it to 0 before. Unlike spawn_replica(), this gives the child a copy of the descriptor
/// table, so the caller may change its descriptors at once. On processors other than x86-64 and
/// with sanitizers this is spawn_replica().
std::int32_t begin_spawn(const SpawnRequest& request, SpawnStage& stage);

}  // namespace slipway::local
