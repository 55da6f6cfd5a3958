#include "plugins/local/supervisor/spawning/replica_spawn.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "plugins/local/engine/unsanitized.hpp"
#include "plugins/local/supervisor/spawning/replica_child.hpp"

namespace slipway::local {
namespace {

constexpr std::size_t kStackBytes = 64 * 1024;
// One child at a time lives on it: the parent waits until the child has left its memory.
alignas(64) char child_stack[kStackBytes];

/// Returns the flags of a child that its launcher waits for. The child shares the launcher's table
/// of descriptors only where it can get one of its own without them (Linux 5.9): it must not change
/// theirs.
unsigned long spawn_flags() {
  static const bool has_close_range = ::syscall(SYS_close_range, ~0U, ~0U, 0) == 0;
  return CLONE_VM | CLONE_VFORK | SIGCHLD | (has_close_range ? CLONE_FILES : 0UL);
}

}  // namespace

void SpawnStage::await() const {
  for (std::int32_t child = 0; (child = child_.load(std::memory_order_acquire)) != 0;)
    ::syscall(SYS_futex, &child_, FUTEX_WAIT, child, nullptr, nullptr, 0);
}

#if defined(__x86_64__)

namespace {

/// Calls clone() with a child that runs replica_main() on the stack that ends at `top`. The child
/// comes back from the system call on that empty stack, so it cannot return through C++ code.
/// clone3() would do the same, but kernels before 5.3 and many containers do not have it.
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

void keep_files_readable() {
  const mode_t before = ::umask(077);
  ::umask(before & 077);
  if ((before & 0700) != 0) child_umask = static_cast<int>(before);
}

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
