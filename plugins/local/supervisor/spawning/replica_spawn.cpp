#include "plugins/local/supervisor/spawning/replica_spawn.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "plugins/local/engine/state_layout.hpp"
#include "plugins/local/engine/unsanitized.hpp"
#include "plugins/local/supervisor/spawning/raw_syscall.hpp"

namespace slipway::local {
namespace {

// From here to replica_main() the code runs in a child, in its parent's memory and perhaps at the
// same time. It allocates nothing, and makes raw system calls only, except for mounts: with these
// the parent must be waiting.

/// The umask of every child, if it differs from the supervisor's; else -1.
int child_umask = -1;

// Each of these functions returns 0, or -errno of the call that failed.

SLIPWAY_UNSANITIZED long enter_cgroups(const SpawnRequest& request) {
  for (const int procs : request.cgroup_procs) {
    if (procs < 0) continue;
    const long written = raw_syscall(SYS_write, procs, "0", 1);
    if (written == 1) continue;
    request.trouble->step = SpawnTrouble::Step::kCgroup;
    return written < 0 ? written : -EIO;
  }
  return 0;
}

/// Keeps `kept` open over exec, in a table that is the child's own.
SLIPWAY_UNSANITIZED long keep_over_exec(const int* kept, std::size_t count) {
  long error = 0;
  for (std::size_t i = 0; i < count && error == 0; ++i)
    error = raw_syscall(SYS_fcntl, kept[i], F_SETFD, 0);
  return error;
}

/// Gives the child its own descriptor table with 0, 1, 2 and `kept`, which stay open over exec.
SLIPWAY_UNSANITIZED long keep_only(const int* kept, std::size_t count) {
  const unsigned above = count == 0 ? 3U : static_cast<unsigned>(kept[count - 1]) + 1;
  long error = raw_syscall(SYS_close_range, above, ~0U, CLOSE_RANGE_UNSHARE);
  // Without close_range() the table is a copy already (spawn_flags()), and exec closes the rest.
  if (error == -ENOSYS || error == -EPERM) return keep_over_exec(kept, count);
  unsigned from = 3;
  for (std::size_t i = 0; i < count && error == 0; ++i) {
    const auto fd = static_cast<unsigned>(kept[i]);
    if (fd > from) error = raw_syscall(SYS_close_range, from, fd - 1, 0);
    if (error == 0) error = raw_syscall(SYS_fcntl, fd, F_SETFD, 0);
    from = fd + 1;
  }
  return error;
}

SLIPWAY_UNSANITIZED long set_limit(int resource, const rlimit* limit) {
  rlimit* const old = nullptr;
  return raw_syscall(SYS_prlimit64, 0, resource, limit, old);
}

SLIPWAY_UNSANITIZED long set_limits(const SpawnRequest& request) {
  const ProcessLimits* limits = request.limits;
  if (limits == nullptr) return 0;
  long error = limits->has_memory ? set_limit(RLIMIT_DATA, &limits->memory) : 0;
  if (error == 0 && limits->has_cpus)
    error = raw_syscall(SYS_sched_setaffinity, 0, sizeof limits->cpus, &limits->cpus);
  if (error != 0) request.trouble->step = SpawnTrouble::Step::kLimits;
  return error;
}

SLIPWAY_UNSANITIZED long enter_mounts(const SpawnRequest& request) {
  if (request.mounts == nullptr) return 0;
  const int error = request.mounts->enter(request.trouble->mount);
  if (error != 0) request.trouble->step = SpawnTrouble::Step::kMounts;
  return -error;
}

/// A probe command must not outlive its launcher.
SLIPWAY_UNSANITIZED long follow_launcher(const SpawnRequest& request) {
  if (request.head != nullptr) return 0;
  const long error = raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0);
  if (error != 0) return error;
  // A launcher that ended before this call causes no signal.
  return raw_syscall(SYS_getppid) == request.launcher ? 0 : -ESRCH;
}

/// Returns only after a failure.
SLIPWAY_UNSANITIZED long become_program(const SpawnRequest& request) {
  constexpr long kSignalBytes = 8;  // size of the kernel's signal sets
  long error = enter_cgroups(request);
  if (error == 0) error = keep_only(request.kept, request.kept_count);
  if (error != 0) return error;
  raw_syscall(SYS_setsid);
  if (child_umask >= 0) raw_syscall(SYS_umask, child_umask);
  if (request.open_files != nullptr) set_limit(RLIMIT_NOFILE, request.open_files);
  error = set_limits(request);
  if (error == 0) error = enter_mounts(request);
  // After the mounts, because a change of identity, as in a user namespace, clears the setting.
  if (error == 0) error = follow_launcher(request);
  if (error == 0) error = raw_syscall(SYS_chdir, request.cwd);
  if (error != 0) return error;
  const std::uint64_t no_signals = 0;
  std::uint64_t* const old = nullptr;
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, old, kSignalBytes);
  return raw_syscall(SYS_execve, request.program, request.argv, request.envp);
}

/// Claims the replica for this child. Returns false if a successor of the launcher has taken the
/// promise back. The child writes nothing before: the entry may be the successor's, and have its
/// check already (record_check.hpp).
SLIPWAY_UNSANITIZED bool claim(const SpawnRequest& request) {
  std::uint64_t promised = make_word(RecordState::kStarting, request.attempt, request.launcher);
  const auto self = static_cast<std::int32_t>(raw_syscall(SYS_getpid));
  const std::uint64_t claimed = make_word(RecordState::kRunning, request.attempt, self);
  return request.head->word.compare_exchange_strong(promised, claimed);
}

[[noreturn]] SLIPWAY_UNSANITIZED void end_child(int status) {
  for (;;) raw_syscall(SYS_exit_group, status);
}

/// Claims the entry and becomes the program as spawn_replica() says, or reports why it cannot and
/// ends.
[[noreturn]] SLIPWAY_UNSANITIZED void replica_main(const SpawnRequest* request) {
  // The launcher's handler (state_guard.hpp) would run on this small stack.
  reset_signal(SIGBUS);
  if (request->head != nullptr && !claim(*request)) end_child(126);
  const auto error = static_cast<std::int32_t>(-become_program(*request));
  if (request->head != nullptr) {
    request->head->error_number.store(error, std::memory_order_release);
  } else {
    request->trouble->error = error;
  }
  end_child(127);
}

constexpr std::size_t kStackBytes = 64 * 1024;
// One child at a time uses it: the parent waits until the child has left its memory.
alignas(64) char child_stack[kStackBytes];

/// Returns the flags of clone() for a child that its launcher waits for. The child shares the
/// launcher's descriptor table only if close_range() can give it its own later (Linux 5.9), because
/// it must not change the launcher's.
unsigned long spawn_flags() {
  static const bool has_close_range = ::syscall(SYS_close_range, ~0U, ~0U, 0) == 0;
  return CLONE_VM | CLONE_VFORK | SIGCHLD | (has_close_range ? CLONE_FILES : 0UL);
}

}  // namespace

void keep_files_readable() {
  const mode_t original = ::umask(077);
  ::umask(original & 077);
  if ((original & 0700) != 0) child_umask = static_cast<int>(original);
}

void SpawnStage::await() const {
  for (std::int32_t child = 0; (child = child_.load(std::memory_order_acquire)) != 0;)
    ::syscall(SYS_futex, &child_, FUTEX_WAIT, child, nullptr, nullptr, 0);
}

#if defined(__x86_64__)

namespace {

/// Calls clone() with a child that runs replica_main() on the stack that ends at `top`. The child
/// returns from the system call on that empty stack, so it cannot return through C++ code. clone3()
/// would do the same, but kernels before 5.3 and many containers lack it.
std::int32_t clone_into(unsigned long flags, char* top, void* child_tid,
                        const SpawnRequest& request) {
  long result = SYS_clone;
  void* const parent_tid = nullptr;
  register void* tid asm("r10") = child_tid;
  register const SpawnRequest* argument asm("r8") = &request;
  register void (*function)(const SpawnRequest*) asm("r9") = &replica_main;
  asm volatile(
      "syscall\n\t"
      "test %%rax, %%rax\n\t"
      "jnz 1f\n\t"
      "xor %%ebp, %%ebp\n\t"
      "mov %%r8, %%rdi\n\t"
      "call *%%r9\n\t"
      "hlt\n"
      "1:"
      : "+a"(result)
      : "D"(flags), "S"(top), "d"(parent_tid), "r"(tid), "r"(argument), "r"(function)
      : "rcx", "r11", "memory");
  return static_cast<std::int32_t>(result);
}

}  // namespace

std::int32_t spawn_replica(const SpawnRequest& request) {
  return clone_into(spawn_flags(), child_stack + kStackBytes, nullptr, request);
}

#else

std::int32_t spawn_replica(const SpawnRequest& request) {
  const auto child = [](void* argument) -> int {
    replica_main(static_cast<const SpawnRequest*>(argument));
  };
  const int pid = ::clone(child, child_stack + kStackBytes, static_cast<int>(spawn_flags()),
                          const_cast<SpawnRequest*>(&request));
  return pid < 0 ? -errno : pid;
}

#endif

#if defined(__x86_64__) && !defined(SLIPWAY_SANITIZED)

std::int32_t begin_spawn(const SpawnRequest& request, SpawnStage& stage) {
  stage.child_.store(1, std::memory_order_relaxed);
  const std::int32_t pid = clone_into(CLONE_VM | CLONE_CHILD_CLEARTID | SIGCHLD,
                                      stage.stack_ + sizeof stage.stack_, &stage.child_, request);
  if (pid < 0) stage.child_.store(0, std::memory_order_relaxed);
  return pid;
}

#else

std::int32_t begin_spawn(const SpawnRequest& request, SpawnStage&) {
  return spawn_replica(request);
}

#endif

}  // namespace slipway::local
