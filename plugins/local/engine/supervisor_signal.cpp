#include "plugins/local/engine/supervisor_signal.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/state_file.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

/// Whether the command line of process `pid` is that of a supervisor of the directory.
bool supervises(std::int32_t pid, int dir_fd) {
  char line[8192];
  const std::string path = "/proc/" + std::to_string(pid) + "/cmdline";
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const ssize_t n = fd ? ::read(fd.get(), line, sizeof line) : -1;
  if (n <= 0) return false;
  std::string text(line, static_cast<std::size_t>(n));
  if (!text.empty() && text.back() == '\0') text.pop_back();
  const std::string directory = text.substr(text.rfind('\0') + 1);
  struct stat named {};
  struct stat ours {};
  return ::stat(directory.c_str(), &named) == 0 && ::fstat(dir_fd, &ours) == 0 &&
         named.st_ino == ours.st_ino && named.st_dev == ours.st_dev;
}

}  // namespace

bool ask_for_socket(const AppRef& app) {
  const OwnedFd dir = open_app_dir(app);
  const auto snapshot = read_app(app);
  if (!dir || !snapshot || snapshot->supervisor_pid <= 1) return false;
  const std::int32_t pid = snapshot->supervisor_pid;
  // The pidfd first: what is found out about the number holds for it.
  const OwnedFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  return process && supervises(pid, dir.get()) &&
         ::syscall(SYS_pidfd_send_signal, process.get(), SIGHUP, nullptr, 0) == 0;
}

}  // namespace slipway::local
