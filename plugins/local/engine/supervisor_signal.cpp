#include "plugins/local/engine/supervisor_signal.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>

#include "plugins/local/engine/process_handle.hpp"
#include "plugins/local/engine/state_bytes.hpp"
#include "sdk/support/directory_stream.hpp"
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
  const std::string program = text.substr(0, text.find('\0'));
  constexpr std::string_view kProgram = "slipway-local-supervisor";
  if (program.size() < kProgram.size() ||
      program.compare(program.size() - kProgram.size(), std::string::npos, kProgram) != 0)
    return false;
  const std::string directory = text.substr(text.rfind('\0') + 1);
  struct stat named {};
  struct stat ours {};
  return ::stat(directory.c_str(), &named) == 0 && ::fstat(dir_fd, &ours) == 0 &&
         named.st_ino == ours.st_ino && named.st_dev == ours.st_dev;
}

/// The one of the app's two processes with the higher number: the supervisor is the younger one.
std::int32_t find_in_proc(int dir_fd) {
  std::int32_t found = 0;
  const DirectoryStream proc(::opendir("/proc"));
  while (const dirent* entry = proc ? ::readdir(proc.get()) : nullptr) {
    const std::int32_t pid = std::atoi(entry->d_name);
    if (pid > found && supervises(pid, dir_fd)) found = pid;
  }
  return found;
}

}  // namespace

std::int32_t supervisor_of(int dir_fd) {
  const StateBytes state(dir_fd, false);
  if (!state.problem().empty()) return find_in_proc(dir_fd);
  const auto pid = state.at<std::int32_t>(offsetof(StateHeader, supervisor_pid));
  return pid > 1 ? pid : 0;
}

bool ask_for_socket(int dir_fd) {
  const std::int32_t pid = supervisor_of(dir_fd);
  return pid != 0 && ProcessHandle(pid, [&] { return supervises(pid, dir_fd); }).send(SIGHUP);
}

}  // namespace slipway::local
