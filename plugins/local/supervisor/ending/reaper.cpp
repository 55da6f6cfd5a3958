#include "plugins/local/supervisor/ending/reaper.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace slipway::local {
namespace {

/// Returns the status that waitpid() reports for the end in `info`.
int wait_status(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED) return (info.si_status & 0xFF) << 8;
  return info.si_code == CLD_DUMPED ? info.si_status | 0x80 : info.si_status;
}

/// Returns the resources that the ended process and the children that it waited for have used.
ResourceUse use_in(const rusage& usage) {
  const auto ns = [](const timeval& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + std::int64_t{time.tv_usec} * 1000;
  };
  return {ns(usage.ru_utime) + ns(usage.ru_stime), std::int64_t{usage.ru_maxrss} * 1024};
}

/// Finds a child that has ended, without reaping it. waitid() of the C library cannot return the
/// usage.
long find_ended(siginfo_t& info, rusage& usage) {
  return ::syscall(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT, &usage);
}

}  // namespace

bool Reaper::reap() {
  bool has_children = true;
  for (;;) {
    siginfo_t info{};
    rusage usage{};
    if (find_ended(info, usage) != 0) {
      has_children = errno != ECHILD;
      break;
    }
    if (info.si_pid == 0) break;
    const std::uint32_t index = replicas_.find(info.si_pid);
    if (index != kNoReplica) {
      replicas_.record_end(index, wait_status(info), use_in(usage));
      // The replica may start again, and must not meet what this attempt left behind.
      if (!is_final(replicas_.state(index))) ladder_.kill_session(info.si_pid);
      // Its resources are free, so a start that failed because they were missing may succeed now.
      pause_.end();
    } else if (!readiness_.command_ended(info.si_pid, wait_status(info))) {
      had_strays_ = true;
      // This process has become the parent of what the child left behind, perhaps probe commands.
      if (is_successor_) readiness_.kill_leftover_commands();
    }
    // From here on the kernel may give the pid to another process.
    ::waitid(P_PID, static_cast<id_t>(info.si_pid), &info, WEXITED | WNOHANG);
  }
  // Without children and orphans, no replica has a process.
  if (!has_children && !orphans_.may_exist()) replicas_.record_running_as_lost();
  // Each death may have made more strays children of this process.
  if (ladder_.is_killing() && has_children) ladder_.kill_own_strays();
  return has_children;
}

bool Reaper::all_gone() {
  if (replicas_.unfinished() != 0) return false;
  if (reap()) {
    had_strays_ = true;
    if (ladder_.is_killing()) {
      ladder_.kill_own_strays();
    } else if (ladder_.in_grace()) {
      // kill_all() follows at the end of the grace time.
      ladder_.terminate_strays();
    } else {
      ladder_.kill_all();
    }
    return false;
  }
  if (orphans_.may_exist()) orphans_.kill_strays();
  return true;
}

bool Reaper::clear_old_round() {
  if (replicas_.old_running() != 0) return false;
  if (reap()) {
    had_strays_ = true;
    ladder_.kill_own_strays();
    return false;
  }
  if (orphans_.may_exist()) orphans_.kill_strays();
  return true;
}

}  // namespace slipway::local
