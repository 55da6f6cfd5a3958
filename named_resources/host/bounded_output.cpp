#include "named_resources/host/bounded_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

extern char** environ;

namespace slipway::host_resources {
namespace {

using Clock = std::chrono::steady_clock;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

// False: not before the deadline.
bool readable(int fd, Clock::time_point deadline) {
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd one{fd, POLLIN, 0};
    const int ready = ::poll(&one, 1, static_cast<int>(left));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

pid_t start(const std::string& program, const std::vector<std::string>& arguments, int output) {
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output, 1);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, program.c_str(), &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return failed == 0 ? pid : -1;
}

// All of it until the end, or false.
bool read_to_end(int fd, Clock::time_point deadline, std::string& out) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  char buffer[4096];
  while (out.size() <= kMost && readable(fd, deadline)) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n == 0) return true;
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) out.append(buffer, static_cast<std::size_t>(n));
  }
  return false;
}

}  // namespace

std::optional<std::string> bounded_output(const std::string& program,
                                          const std::vector<std::string>& arguments,
                                          int timeout_ms) {
  const auto deadline = Clock::now() + std::chrono::milliseconds(timeout_ms);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const Descriptor mine(ends[0]);
  Descriptor theirs(ends[1]);
  const pid_t pid = start(program, arguments, theirs.get());
  if (pid < 0) return std::nullopt;
  theirs.close();
  const Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  std::string out;
  const bool done = read_to_end(mine.get(), deadline, out) && process.get() >= 0 &&
                    readable(process.get(), deadline);
  if (!done) {
    ::kill(-pid, SIGKILL);
    if (process.get() >= 0)
      readable(process.get(), Clock::now() + std::chrono::milliseconds(timeout_ms));
  }
  int status = 0;
  const pid_t ended = ::waitpid(pid, &status, WNOHANG);
  if (!done || ended != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return out;
}

}  // namespace slipway::host_resources
