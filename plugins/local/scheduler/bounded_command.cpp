#include "plugins/local/scheduler/bounded_command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "plugins/local/engine/owned_fd.hpp"

namespace slipway::local {

namespace {

constexpr std::size_t kMostOutput = 1U << 20U;

/// The child's pid, or -1. It leads a group of its own, so that what it starts ends with it.
pid_t start(const StrList& args, int output) {
  std::vector<char*> argv;
  for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output, 1);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? pid : -1;
}

/// Reads to the end; false when that has not come in time, or is too far away.
bool read_all(int fd, std::chrono::steady_clock::time_point end, std::string& out) {
  using std::chrono::milliseconds;
  for (;;) {
    const auto left =
        std::chrono::ceil<milliseconds>(end - std::chrono::steady_clock::now()).count();
    if (left <= 0) return false;
    pollfd ready{fd, POLLIN, 0};
    const int n = ::poll(&ready, 1, static_cast<int>(left));
    if (n < 0 && errno != EINTR) return false;
    if (n <= 0) continue;
    char buffer[4096];
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got == 0) return true;
    if (got < 0) return false;
    out.append(buffer, static_cast<std::size_t>(got));
    if (out.size() > kMostOutput) return false;
  }
}

}  // namespace

std::optional<std::string> ask_program(const StrList& args, std::chrono::milliseconds limit) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const OwnedFd read_end(ends[0]);
  OwnedFd write_end(ends[1]);
  const pid_t pid = start(args, write_end.get());
  write_end.reset();
  if (pid < 0) return std::nullopt;
  std::string out;
  const bool whole = read_all(read_end.get(), std::chrono::steady_clock::now() + limit, out);
  // Whoever has closed its output and goes on is not waited for.
  siginfo_t info{};
  if (!whole || ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
    ::kill(-pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!whole || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return out;
}

}  // namespace slipway::local
