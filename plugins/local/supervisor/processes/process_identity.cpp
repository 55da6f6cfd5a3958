#include "plugins/local/supervisor/processes/process_identity.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "sdk/support/system_error.hpp"

namespace slipway::local {
namespace {

// Declared in linux/pidfd.h of Linux 6.15. Older systems lack it.
struct PidfdInfo {
  std::uint64_t mask;
  std::uint64_t cgroup_id;
  std::uint32_t pid, tgid, ppid, ruid, rgid, euid, egid, suid, sgid, fsuid, fsgid;
  std::int32_t exit_code;
};
constexpr std::uint64_t kPidfdInfoExit = 1U << 3U;
constexpr unsigned long kPidfdGetInfo = _IOWR(0xFF, 11, PidfdInfo);
constexpr unsigned int kPidfdSignalProcessGroup = 1U << 2U;

/// Gets the wait status of a reaped process from its pidfd. Returns false on older kernels.
bool exit_by_pidfd(int pidfd, std::int32_t& status) {
  PidfdInfo info{};
  info.mask = kPidfdInfoExit;
  if (::ioctl(pidfd, kPidfdGetInfo, &info) != 0 || (info.mask & kPidfdInfoExit) == 0) return false;
  status = info.exit_code;
  return true;
}

/// Returns whether the process behind `pidfd`, living or zombie, still has its pid.
bool is_unreaped(int pidfd) {
  const std::string info = kernel_file("/proc/self/fdinfo/" + std::to_string(pidfd));
  const std::size_t at = info.find("\nPid:\t");
  return at != std::string::npos && info[at + std::strlen("\nPid:\t")] != '-';  // -1 if reaped
}

/// Returns field `number` of the line, counted as in proc(5). `after_name` is the end of the
/// name, field 2.
const char* stat_field(const char* after_name, int number) {
  const char* at = after_name;
  for (int field = 2; field < number && at != nullptr; ++field) {
    at = std::strchr(at, ' ');
    if (at != nullptr) ++at;
  }
  return at;
}

/// Returns whether the kernel hides the exit status of a zombie from this process, for example that
/// of a setuid program: /proc/<pid>/stat then shows 0. The same permission protects this link.
bool hides_exit(std::int32_t pid) {
  char path[32];
  char target[32];
  std::snprintf(path, sizeof path, "/proc/%d/ns/user", pid);
  return ::readlink(path, target, sizeof target) < 0 && errno == EACCES;
}

}  // namespace

bool read_process(std::int32_t pid, ProcessStat& out) {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  errno = ESRCH;  // for a file without these fields
  OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  char text[1024];
  const ssize_t n = fd ? ::read(fd.get(), text, sizeof text - 1) : -1;
  if (n <= 0) return false;
  text[n] = '\0';
  // The name in parentheses may contain any character, including parentheses.
  const char* name_end = std::strrchr(text, ')');
  const char* state = name_end != nullptr ? stat_field(name_end, 3) : nullptr;
  const char* parent = name_end != nullptr ? stat_field(name_end, 4) : nullptr;
  const char* session = name_end != nullptr ? stat_field(name_end, 6) : nullptr;
  const char* start = name_end != nullptr ? stat_field(name_end, 22) : nullptr;
  const char* exit_code = name_end != nullptr ? stat_field(name_end, 52) : nullptr;
  if (exit_code == nullptr) return false;
  out.state = *state;
  out.parent = std::atoi(parent);
  out.session = std::atoi(session);
  out.start = std::strtoull(start, nullptr, 10);
  out.exit_code = std::atoi(exit_code);
  return true;
}

StartWindow start_window(std::int64_t from_ns, std::int64_t to_ns) {
  constexpr std::int64_t kLongestStartNs = 10'000'000'000;
  return {from_ns, to_ns != 0 ? to_ns : from_ns + kLongestStartNs};
}

StartWindow start_window(const ReplicaEntry& entry) {
  return start_window(entry.tail.window_from_ns.load(), entry.tail.window_to_ns.load());
}

bool started_in(const StartWindow& window, const ProcessStat& stat) {
  static const std::int64_t tick_ns = 1'000'000'000 / ::sysconf(_SC_CLK_TCK);
  // The kernel shows start times in the time namespace of the process that reads them.
  const std::int64_t start = static_cast<std::int64_t>(stat.start) - boot_clock_offset() / tick_ns;
  // One tick of slack: the kernel rounds the start time down.
  return start >= window.from_ns / tick_ns - 1 && start <= window.to_ns / tick_ns + 1;
}

bool is_recorded(const ReplicaEntry& entry, const ProcessStat& stat) {
  return started_in(start_window(entry), stat);
}

OwnedFd open_recorded(const ReplicaEntry& entry) {
  const std::int32_t pid = word_pid(entry.head.word.load(std::memory_order_acquire));
  errno = ESRCH;
  OwnedFd pidfd(pid > 0 ? static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)) : -1);
  ProcessStat stat;
  const bool is_read = pidfd && read_process(pid, stat);
  if (is_read && is_recorded(entry, stat)) return pidfd;
  // EINVAL, on newer kernels ENOENT: the pid is now that of a thread, or still that of a process
  // group or process session. /proc also has ENOENT for a process that is gone.
  const bool is_gone = is_read || errno == ESRCH || errno == ENOENT || errno == EINVAL;
  const int error = is_gone ? 0 : errno;
  pidfd.reset();
  errno = error;
  return pidfd;
}

Ending ending_of(int pidfd, const ReplicaEntry& entry, bool reaped, std::int32_t& status) {
  if (reaped) return exit_by_pidfd(pidfd, status) ? Ending::kKnown : Ending::kLost;
  const std::int32_t pid = word_pid(entry.head.word.load());
  // Before the read, which shows whether the process had not been reaped by then.
  const bool is_hidden = hides_exit(pid);
  ProcessStat stat;
  if (!read_process(pid, stat)) {
    // The caller looks again: the zombie stays until its parent reaps it.
    if (is_shortage(errno)) return Ending::kRunning;
  } else if (is_recorded(entry, stat)) {
    if (stat.state != 'Z') return Ending::kRunning;
    if (stat.exit_code != 0 || !is_hidden) {
      status = stat.exit_code;
      return Ending::kKnown;
    }
    // The pidfd has the wait status as soon as the parent has reaped the process. Most parents do
    // so at once, and some never do.
    constexpr int kLongestWaitMs = 100;
    pollfd hangup{pidfd, 0, 0};
    ::poll(&hangup, 1, kLongestWaitMs);
  }
  return exit_by_pidfd(pidfd, status) ? Ending::kKnown : Ending::kLost;
}

bool signal_group(int pidfd, std::int32_t pid, int signal) {
  if (::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, kPidfdSignalProcessGroup) == 0)
    return true;
  // Before Linux 6.9 the pidfd cannot signal the group (EINVAL). A container may forbid the call
  // with EPERM. If EPERM concerns the processes, kill() also fails.
  if (errno != EINVAL && errno != ENOSYS && errno != EPERM) return false;
  return is_unreaped(pidfd) && ::kill(-pid, signal) == 0;
}

}  // namespace slipway::local
