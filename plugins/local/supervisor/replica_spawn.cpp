#include "plugins/local/supervisor/replica_spawn.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <type_traits>

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
  // Before the claim, so that a claimed record always has its whole window.
  request.tail->window_to_ns.store(boottime_ns(), std::memory_order_relaxed);
  std::uint64_t promised = make_word(RecordState::kStarting, request.attempt, request.launcher);
  const auto self = static_cast<std::int32_t>(::syscall(SYS_getpid));
  const std::uint64_t claimed = make_word(RecordState::kRunning, request.attempt, self);
  return request.head->word.compare_exchange_strong(promised, claimed);
}

/// What is no replica must not outlive who waits for it.
SLIPWAY_UNSANITIZED bool follow_launcher(const SpawnRequest& request) {
  if (request.head != nullptr) return true;
  if (::syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return false;
  if (::syscall(SYS_getppid) == request.launcher) return true;
  errno = ESRCH;
  return false;
}

/// Runs in the child, in the parent's memory: system calls only, no allocation, no return.
[[noreturn]] SLIPWAY_UNSANITIZED void replica_main(const SpawnRequest* request) {
  if (request->head != nullptr && !claim(*request)) ::_exit(126);

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
  if (request->head != nullptr) {
    request->head->error_number.store(error, std::memory_order_release);
  } else {
    request->trouble->error = error;
  }
  ::_exit(127);
}

}  // namespace

void SpawnStage::await() const {
  for (std::int32_t child = 0; (child = child_.load(std::memory_order_acquire)) != 0;)
    ::syscall(SYS_futex, &child_, FUTEX_WAIT, child, nullptr, nullptr, 0);
}

#if defined(__x86_64__)

namespace {

using ChildMain = void (*)(const SpawnRequest*);

/// clone3() whose child runs `child_main` on the stack in `args`. It comes back from the system call on that empty stack,
/// so it cannot return through C++ code.
std::int32_t clone_into(const clone_args& args, ChildMain child_main, const SpawnRequest& request) {
  long result = SYS_clone3;
  register const SpawnRequest* argument asm("r8") = &request;
  register ChildMain function asm("r9") = child_main;
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
      : "D"(&args), "S"(sizeof args), "r"(argument), "r"(function)
      : "rcx", "r11", "memory");
  return static_cast<std::int32_t>(result);
}

}  // namespace

std::int32_t spawn_replica(const SpawnRequest& request) {
  clone_args args{};
  args.flags = CLONE_VM | CLONE_VFORK | CLONE_FILES | CLONE_CLEAR_SIGHAND;
  args.exit_signal = SIGCHLD;
  args.stack = reinterpret_cast<std::uint64_t>(child_stack);
  args.stack_size = kStackBytes;
  return clone_into(args, &replica_main, request);
}

#else

std::int32_t spawn_replica(const SpawnRequest& request) {
  // The helper starts with default dispositions and installs no handler, so CLONE_CLEAR_SIGHAND is
  // not missed.
  const auto child = [](void* argument) -> int {
    replica_main(static_cast<const SpawnRequest*>(argument));
  };
  const int pid =
      ::clone(child, child_stack + kStackBytes, CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD,
              const_cast<SpawnRequest*>(&request));
  return pid < 0 ? -errno : pid;
}

#endif

#if defined(__x86_64__) && !defined(SLIPWAY_SANITIZED)

namespace {

/// A system call that leaves errno alone: the parent runs meanwhile, and its errno is in the same place.
template <typename... Arguments>
long bare(long number, Arguments... arguments) {
  [[maybe_unused]] const auto word = [](auto argument) {
    if constexpr (std::is_pointer_v<decltype(argument)>) {
      return reinterpret_cast<long>(argument);
    } else {
      return static_cast<long>(argument);
    }
  };
  const long words[4] = {word(arguments)...};
  register long fourth asm("r10") = words[3];
  long result = number;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(words[0]), "S"(words[1]), "d"(words[2]), "r"(fourth)
               : "rcx", "r11", "memory");
  return result;
}

/// Runs in the child, in the parent's memory and beside it: bare system calls only. -errno of what failed.
long become_program(const SpawnRequest& request) {
  constexpr long kSignalBytes = 8;
  unsigned from = 3;
  long error = 0;
  for (std::size_t i = 0; i < request.kept_count && error == 0; ++i) {
    const auto fd = static_cast<unsigned>(request.kept[i]);
    if (fd > from) error = bare(SYS_close_range, from, fd - 1, 0);
    if (error == 0) error = bare(SYS_fcntl, fd, F_SETFD, 0);
    from = fd + 1;
  }
  if (error == 0) error = bare(SYS_close_range, from, ~0U, 0);
  if (error != 0) return error;
  bare(SYS_setsid);
  const rlimit* none = nullptr;
  if (request.open_files != nullptr)
    bare(SYS_prlimit64, 0, RLIMIT_NOFILE, request.open_files, none);
  if (const ProcessLimits* limits = request.limits) {
    if (limits->has_memory) error = bare(SYS_prlimit64, 0, RLIMIT_DATA, &limits->memory, none);
    if (error == 0 && limits->has_cpus) {
      error = bare(SYS_sched_setaffinity, 0, sizeof limits->cpus, &limits->cpus);
    }
    if (error < 0) {
      request.trouble->at = SpawnTrouble::At::kLimits;
      return error;
    }
  }
  error = bare(SYS_chdir, request.cwd);
  if (error != 0) return error;
  const std::uint64_t no_signals = 0;
  bare(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, none, kSignalBytes);
  return bare(SYS_execve, request.program, request.argv, request.envp);
}

void replica_apart(const SpawnRequest* request) {
  if (!claim(*request)) bare(SYS_exit, 126);
  const long error = -become_program(*request);
  request->head->error_number.store(static_cast<std::int32_t>(error), std::memory_order_release);
  bare(SYS_exit, 127);
}

}  // namespace

std::int32_t begin_spawn(const SpawnRequest& request, SpawnStage& stage) {
  clone_args args{};
  args.flags = CLONE_VM | CLONE_CLEAR_SIGHAND | CLONE_CHILD_CLEARTID;
  args.exit_signal = SIGCHLD;
  args.child_tid = reinterpret_cast<std::uint64_t>(&stage.child_);
  args.stack = reinterpret_cast<std::uint64_t>(stage.stack_);
  args.stack_size = sizeof stage.stack_;
  stage.child_.store(1, std::memory_order_relaxed);
  const std::int32_t pid = clone_into(args, &replica_apart, request);
  if (pid < 0) stage.child_.store(0, std::memory_order_relaxed);
  return pid;
}

#else

std::int32_t begin_spawn(const SpawnRequest& request, SpawnStage&) {
  return spawn_replica(request);
}

#endif

}  // namespace slipway::local
