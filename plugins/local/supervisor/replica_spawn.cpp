#include "plugins/local/supervisor/replica_spawn.hpp"

#include <linux/futex.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "plugins/local/engine/unsanitized.hpp"
#include "plugins/local/supervisor/replica_child.hpp"

namespace slipway::local {
namespace {

constexpr std::size_t kStackBytes = 64 * 1024;
// One child at a time lives on it: the parent waits until the child has left its memory.
alignas(64) char child_stack[kStackBytes];

}  // namespace

void SpawnStage::await() const {
  for (std::int32_t child = 0; (child = child_.load(std::memory_order_acquire)) != 0;)
    ::syscall(SYS_futex, &child_, FUTEX_WAIT, child, nullptr, nullptr, 0);
}

#if defined(__x86_64__)

namespace {

/// clone3() whose child runs replica_main() on the stack in `args`. It comes back from the system call on that empty stack,
/// so it cannot return through C++ code.
std::int32_t clone_into(const clone_args& args, const SpawnRequest& request) {
  long result = SYS_clone3;
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
      : "D"(&args), "S"(sizeof args), "r"(argument), "r"(function)
      : "rcx", "r11", "memory");
  return static_cast<std::int32_t>(result);
}

}  // namespace

void keep_files_readable() {
  const mode_t before = ::umask(077);
  ::umask(before & 077);
  if ((before & 0700) != 0) child_umask = static_cast<int>(before);
}

std::int32_t spawn_replica(const SpawnRequest& request) {
  clone_args args{};
  args.flags = CLONE_VM | CLONE_VFORK | CLONE_FILES | CLONE_CLEAR_SIGHAND;
  args.exit_signal = SIGCHLD;
  args.stack = reinterpret_cast<std::uint64_t>(child_stack);
  args.stack_size = kStackBytes;
  return clone_into(args, request);
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

std::int32_t begin_spawn(const SpawnRequest& request, SpawnStage& stage) {
  clone_args args{};
  args.flags = CLONE_VM | CLONE_CLEAR_SIGHAND | CLONE_CHILD_CLEARTID;
  args.exit_signal = SIGCHLD;
  args.child_tid = reinterpret_cast<std::uint64_t>(&stage.child_);
  args.stack = reinterpret_cast<std::uint64_t>(stage.stack_);
  args.stack_size = sizeof stage.stack_;
  stage.child_.store(1, std::memory_order_relaxed);
  const std::int32_t pid = clone_into(args, request);
  if (pid < 0) stage.child_.store(0, std::memory_order_relaxed);
  return pid;
}

#else

std::int32_t begin_spawn(const SpawnRequest& request, SpawnStage&) {
  return spawn_replica(request);
}

#endif

}  // namespace slipway::local
