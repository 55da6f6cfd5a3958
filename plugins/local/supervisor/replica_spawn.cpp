#include "plugins/local/supervisor/replica_spawn.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "plugins/local/engine/state_store.hpp"
#include "plugins/local/engine/unsanitized.hpp"

namespace slipway::local {
namespace {

constexpr std::size_t kStackBytes = 64 * 1024;
// One child at a time lives on it: the parent waits until the child has left its memory.
alignas(64) char child_stack[kStackBytes];

/// In the child: a descriptor table of its own with 0, 1, 2 and `kept`, which stay open over exec.
SLIPWAY_UNSANITIZED bool keep_only(const int* kept, std::size_t count) {
  const unsigned above = count == 0 ? 3U : static_cast<unsigned>(kept[count - 1]) + 1;
  if (::syscall(SYS_close_range, above, ~0U, CLOSE_RANGE_UNSHARE) != 0) return false;
  unsigned from = 3;
  for (std::size_t i = 0; i < count; ++i) {
    const auto fd = static_cast<unsigned>(kept[i]);
    if (fd > from && ::syscall(SYS_close_range, from, fd - 1, 0) != 0) return false;
    if (::syscall(SYS_fcntl, fd, F_SETFD, 0) != 0) return false;
    from = fd + 1;
  }
  return true;
}

SLIPWAY_UNSANITIZED bool fails_at(const SpawnRequest& request, SpawnTrouble::At at) {
  request.trouble->at = at;
  return false;
}

SLIPWAY_UNSANITIZED bool enter_cgroups(const SpawnRequest& request) {
  for (const int door : request.doors) {
    if (door >= 0 && ::write(door, "0", 1) != 1)
      return fails_at(request, SpawnTrouble::At::kCgroup);
  }
  return true;
}

SLIPWAY_UNSANITIZED bool set_limits(const SpawnRequest& request) {
  const ProcessLimits* limits = request.limits;
  if (limits == nullptr) return true;
  const bool good =
      (!limits->has_memory || ::setrlimit(RLIMIT_DATA, &limits->memory) == 0) &&
      (!limits->has_cpus || ::sched_setaffinity(0, sizeof limits->cpus, &limits->cpus) == 0);
  return good || fails_at(request, SpawnTrouble::At::kLimits);
}

SLIPWAY_UNSANITIZED bool enter_mounts(const SpawnRequest& request) {
  if (request.mounts == nullptr) return true;
  const int error = request.mounts->enter(request.trouble->mount);
  if (error == 0) return true;
  errno = error;
  return fails_at(request, SpawnTrouble::At::kMounts);
}

/// Of two parties, the child and a successor of its launcher, one gets the replica.
SLIPWAY_UNSANITIZED bool claim(const SpawnRequest& request) {
  ReplicaRecord& record = *request.record;
  // Before the claim, so that a claimed record always has its whole window.
  record.window_to_ns.store(boottime_ns(), std::memory_order_relaxed);
  std::uint64_t promised = make_word(RecordState::kStarting, request.attempt, request.launcher);
  const auto self = static_cast<std::int32_t>(::syscall(SYS_getpid));
  const std::uint64_t claimed = make_word(RecordState::kRunning, request.attempt, self);
  return record.word.compare_exchange_strong(promised, claimed);
}

/// What is no replica must not outlive who waits for it.
SLIPWAY_UNSANITIZED bool follow_launcher(const SpawnRequest& request) {
  if (request.record != nullptr) return true;
  if (::syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return false;
  if (::syscall(SYS_getppid) == request.launcher) return true;
  errno = ESRCH;
  return false;
}

}  // namespace

/// Runs in the child, in the parent's memory: system calls only, no allocation, no return.
extern "C" [[noreturn]] SLIPWAY_UNSANITIZED __attribute__((used, visibility("hidden"))) void
slipway_replica_main(const SpawnRequest* request) {
  if (request->record != nullptr && !claim(*request)) ::_exit(126);

  if (enter_cgroups(*request) && keep_only(request->kept, request->kept_count)) {
    ::setsid();
    if (request->open_files != nullptr) ::setrlimit(RLIMIT_NOFILE, request->open_files);
    // Last, because a change of identity, as in a user namespace, ends that.
    if (set_limits(*request) && enter_mounts(*request) && follow_launcher(*request) &&
        ::chdir(request->cwd) == 0) {
      sigset_t none;
      ::sigemptyset(&none);
      ::sigprocmask(SIG_SETMASK, &none, nullptr);
      ::execve(request->program, request->argv, request->envp);
    }
  }
  const int error = errno == 0 ? EINVAL : errno;
  if (request->record != nullptr) {
    request->record->error_number.store(error, std::memory_order_release);
  } else {
    request->trouble->error = error;
  }
  ::_exit(127);
}

#if defined(__x86_64__)

std::int32_t spawn_replica(const SpawnRequest& request) {
  clone_args args{};
  args.flags = CLONE_VM | CLONE_VFORK | CLONE_FILES | CLONE_CLEAR_SIGHAND;
  args.exit_signal = SIGCHLD;
  args.stack = reinterpret_cast<std::uint64_t>(child_stack);
  args.stack_size = kStackBytes;
  long result = SYS_clone3;
  // The child comes back from the system call on its own, empty stack, so it cannot return through
  // C++ code.
  register const SpawnRequest* argument asm("r8") = &request;
  asm volatile(
      "syscall\n\t"
      "test %%rax, %%rax\n\t"
      "jnz 1f\n\t"
      "xor %%ebp, %%ebp\n\t"
      "mov %%r8, %%rdi\n\t"
      "call slipway_replica_main\n\t"
      "hlt\n"
      "1:"
      : "+a"(result)
      : "D"(&args), "S"(sizeof args), "r"(argument)
      : "rcx", "r11", "memory");
  return static_cast<std::int32_t>(result);
}

#else

std::int32_t spawn_replica(const SpawnRequest& request) {
  // The helper starts with default dispositions and installs no handler, so CLONE_CLEAR_SIGHAND is
  // not missed.
  const auto child = [](void* argument) -> int {
    slipway_replica_main(static_cast<const SpawnRequest*>(argument));
  };
  const int pid =
      ::clone(child, child_stack + kStackBytes, CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD,
              const_cast<SpawnRequest*>(&request));
  return pid < 0 ? -errno : pid;
}

#endif

}  // namespace slipway::local
