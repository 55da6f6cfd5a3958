#include "tests/bench/kill_loop.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "tests/bench/child_process.hpp"

namespace slipway::bench {
namespace {

/// Programs that are ended and reaped by the destructor at the latest.
class Sessions {
 public:
  Sessions() = default;
  Sessions(const Sessions&) = delete;
  Sessions& operator=(const Sessions&) = delete;
  ~Sessions() {
    end(SIGKILL);
    reap();
  }

  void start(const std::string& program) {
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    char* argv[] = {const_cast<char*>(program.c_str()), nullptr};
    pid_t pid = -1;
    const int error = ::posix_spawn(&pid, argv[0], nullptr, &attributes, argv, environ);
    ::posix_spawnattr_destroy(&attributes);
    if (error != 0)
      throw std::system_error(error, std::generic_category(), "cannot start " + program);
    pids_.push_back(pid);
  }

  void end(int signal) const {
    for (const pid_t pid : pids_) ::kill(-pid, signal);
  }

  void reap() {
    for (const pid_t pid : pids_) {
      while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    pids_.clear();
  }

 private:
  std::vector<pid_t> pids_;
};

}  // namespace

double kill_and_reap(const std::string& program, int count) {
  Sessions sessions;
  for (int i = 0; i < count; ++i) sessions.start(program);
  const std::int64_t begin = monotonic_ns();
  sessions.end(SIGTERM);
  sessions.reap();
  return static_cast<double>(monotonic_ns() - begin) / 1e6;
}

}  // namespace slipway::bench
