#include "plugins/local/engine/process_handle.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace slipway::local {
namespace {

/// Time for a killed process to end, if no pidfd shows its end.
constexpr int kPauseMs = 5;

bool is_missing_call() { return errno == ENOSYS || errno == EPERM; }

/// Returns whether pidfd_open() has failed because the process has ended. EINVAL: its pid is now
/// that of a thread, or still that of a process group or process session.
bool is_gone() { return errno == ESRCH || errno == EINVAL; }

}  // namespace

ProcessHandle::ProcessHandle(std::int32_t pid, const std::function<bool()>& is_wanted)
    : pidfd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {
  if (!pidfd_ && is_gone()) return;
  if (is_wanted()) {
    pid_ = pid;
  } else {
    errno = ESRCH;
  }
}

bool ProcessHandle::send(int signal) const {
  if (!valid()) return errno = ESRCH, false;
  if (!pidfd_) return ::kill(pid_, signal) == 0;
  if (::syscall(SYS_pidfd_send_signal, pidfd_.get(), signal, nullptr, 0) == 0) return true;
  // A container may forbid the call with EPERM. If EPERM concerns the process, kill() also fails.
  return is_missing_call() && ::kill(pid_, signal) == 0;
}

void ProcessHandle::await_end(int timeout_ms) const {
  pollfd gone{pidfd_.get(), POLLIN, 0};
  while (::poll(&gone, 1, pidfd_ ? timeout_ms : kPauseMs) < 0 && errno == EINTR) {
  }
}

}  // namespace slipway::local
