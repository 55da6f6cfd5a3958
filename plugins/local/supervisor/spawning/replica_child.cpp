#include "plugins/local/supervisor/spawning/replica_child.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdint>

#include "plugins/local/engine/state_store.hpp"
#include "plugins/local/engine/unsanitized.hpp"
#include "plugins/local/supervisor/spawning/bare_call.hpp"

namespace slipway::local {
namespace {

// Each of these returns 0, or -errno of what failed.

SLIPWAY_UNSANITIZED long enter_cgroups(const SpawnRequest& request) {
  for (const int door : request.doors) {
    if (door < 0) continue;
    const long written = bare_call(SYS_write, door, "0", 1);
    if (written == 1) continue;
    request.trouble->at = SpawnTrouble::At::kCgroup;
    return written < 0 ? written : -EIO;
  }
  return 0;
}

/// Leaves `kept` open over exec, with no change to the launcher's descriptors.
SLIPWAY_UNSANITIZED long keep_over_exec(const int* kept, std::size_t count) {
  long error = 0;
  for (std::size_t i = 0; i < count && error == 0; ++i)
    error = bare_call(SYS_fcntl, kept[i], F_SETFD, 0);
  return error;
}

/// Makes a descriptor table with 0, 1, 2 and `kept`, which stay open over exec.
SLIPWAY_UNSANITIZED long keep_only(const int* kept, std::size_t count) {
  const unsigned above = count == 0 ? 3U : static_cast<unsigned>(kept[count - 1]) + 1;
  long error = bare_call(SYS_close_range, above, ~0U, CLOSE_RANGE_UNSHARE);
  // Without that call the table is a copy already (spawn_replica()), and exec closes the others.
  if (error == -ENOSYS || error == -EPERM) return keep_over_exec(kept, count);
  unsigned from = 3;
  for (std::size_t i = 0; i < count && error == 0; ++i) {
    const auto fd = static_cast<unsigned>(kept[i]);
    if (fd > from) error = bare_call(SYS_close_range, from, fd - 1, 0);
    if (error == 0) error = bare_call(SYS_fcntl, fd, F_SETFD, 0);
    from = fd + 1;
  }
  return error;
}

SLIPWAY_UNSANITIZED long set_limit(int resource, const rlimit* limit) {
  rlimit* const old = nullptr;
  return bare_call(SYS_prlimit64, 0, resource, limit, old);
}

SLIPWAY_UNSANITIZED long set_limits(const SpawnRequest& request) {
  const ProcessLimits* limits = request.limits;
  if (limits == nullptr) return 0;
  long error = limits->has_memory ? set_limit(RLIMIT_DATA, &limits->memory) : 0;
  if (error == 0 && limits->has_cpus)
    error = bare_call(SYS_sched_setaffinity, 0, sizeof limits->cpus, &limits->cpus);
  if (error != 0) request.trouble->at = SpawnTrouble::At::kLimits;
  return error;
}

SLIPWAY_UNSANITIZED long enter_mounts(const SpawnRequest& request) {
  if (request.mounts == nullptr) return 0;
  const int error = request.mounts->enter(request.trouble->mount);
  if (error != 0) request.trouble->at = SpawnTrouble::At::kMounts;
  return -error;
}

/// A probe command must not outlive its launcher.
SLIPWAY_UNSANITIZED long follow_launcher(const SpawnRequest& request) {
  if (request.head != nullptr) return 0;
  const long error = bare_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0);
  if (error != 0) return error;
  return bare_call(SYS_getppid) == request.launcher ? 0 : -ESRCH;
}

/// Returns only when it has failed.
SLIPWAY_UNSANITIZED long become_program(const SpawnRequest& request) {
  constexpr long kSignalBytes = 8;
  long error = enter_cgroups(request);
  if (error == 0) error = keep_only(request.kept, request.kept_count);
  if (error != 0) return error;
  bare_call(SYS_setsid);
  if (child_umask >= 0) bare_call(SYS_umask, child_umask);
  if (request.open_files != nullptr) set_limit(RLIMIT_NOFILE, request.open_files);
  error = set_limits(request);
  if (error == 0) error = enter_mounts(request);
  // Behind the mounts, because a change of identity, as in a user namespace, ends that.
  if (error == 0) error = follow_launcher(request);
  if (error == 0) error = bare_call(SYS_chdir, request.cwd);
  if (error != 0) return error;
  const std::uint64_t no_signals = 0;
  std::uint64_t* const old = nullptr;
  bare_call(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, old, kSignalBytes);
  return bare_call(SYS_execve, request.program, request.argv, request.envp);
}

/// Of two parties, the child and a successor of its launcher, one gets the replica.
SLIPWAY_UNSANITIZED bool claim(const SpawnRequest& request) {
  // Before the claim, so that a claimed record always has its whole window.
  request.tail->window_to_ns.store(boottime_ns(), std::memory_order_relaxed);
  std::uint64_t promised = make_word(RecordState::kStarting, request.attempt, request.launcher);
  const auto self = static_cast<std::int32_t>(bare_call(SYS_getpid));
  const std::uint64_t claimed = make_word(RecordState::kRunning, request.attempt, self);
  return request.head->word.compare_exchange_strong(promised, claimed);
}

[[noreturn]] SLIPWAY_UNSANITIZED void leave(int status) {
  for (;;) bare_call(SYS_exit_group, status);
}

}  // namespace

int child_umask = -1;

SLIPWAY_UNSANITIZED void replica_main(const SpawnRequest* request) {
  // The launcher's handler would run on this small stack.
  reset_signal(SIGBUS);
  if (request->head != nullptr && !claim(*request)) leave(126);
  const auto error = static_cast<std::int32_t>(-become_program(*request));
  if (request->head != nullptr) {
    request->head->error_number.store(error, std::memory_order_release);
  } else {
    request->trouble->error = error;
  }
  leave(127);
}

}  // namespace slipway::local
