#include "tests/bench/spawn_loop.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "tests/bench/child_process.hpp"
#include "tests/bench/interruption.hpp"
#include "tests/bench/sample_series.hpp"

namespace slipway::bench {
namespace {

constexpr short kNewSession = POSIX_SPAWN_SETSID;

void check(bool fine, const std::string& what) {
  if (!fine) throw std::system_error(errno, std::generic_category(), what);
}

int open_log(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  check(fd >= 0, "cannot open " + path);
  return fd;
}

/// Waits for the end of a program. Returns false if none has ended and `block` is not set.
bool reap(bool block) {
  int status = 0;
  const pid_t pid = ::waitpid(-1, &status, block ? 0 : WNOHANG);
  check(pid >= 0, "cannot wait");
  if (pid > 0 && status != 0) throw std::runtime_error("a program of the plain loop failed");
  return pid > 0;
}

}  // namespace

SpawnLoop::SpawnLoop(std::string dir, std::string program, int count, int window, Session session)
    : dir_(std::move(dir)),
      program_(std::move(program)),
      count_(count),
      window_(window),
      session_(session) {
  check(::mkdir(dir_.c_str(), 0755) == 0, "cannot create " + dir_);
}

void SpawnLoop::start_one(const std::string& dir) const {
  check(::mkdir(dir.c_str(), 0755) == 0, "cannot create " + dir);
  const int out = open_log(dir + "/stdout.log");
  const int err = open_log(dir + "/stderr.log");
  ::close(open_log(dir + "/combined.log"));
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, out, 1);
  ::posix_spawn_file_actions_adddup2(&actions, err, 2);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  if (session_ == Session::kOwn) ::posix_spawnattr_setflags(&attributes, kNewSession);
  char* argv[] = {const_cast<char*>(program_.c_str()), nullptr};
  pid_t pid = -1;
  errno = ::posix_spawn(&pid, argv[0], &actions, &attributes, argv, environ);
  check(errno == 0, "cannot start " + program_);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(out);
  ::close(err);
}

double SpawnLoop::run() {
  fail_if_interrupted();
  const std::string base = dir_ + '/' + std::to_string(runs_++);
  const std::int64_t begin = monotonic_ns();
  check(::mkdir(base.c_str(), 0755) == 0, "cannot create " + base);
  int running = 0;
  for (int i = 0; i < count_; ++i) {
    while (running > 0 && reap(running == window_)) --running;
    start_one(base + '/' + std::to_string(i));
    ++running;
  }
  for (; running > 0; --running) reap(true);
  return static_cast<double>(monotonic_ns() - begin) / 1e6;
}

int fastest_window(const std::string& dir, const std::string& program, int count, int rounds) {
  constexpr int kWindows[] = {2, 4, 16, 64, 1000};
  check(::mkdir(dir.c_str(), 0755) == 0, "cannot create " + dir);
  std::vector<SpawnLoop> loops;
  for (const int window : kWindows)
    loops.emplace_back(dir + '/' + std::to_string(window), program, count, window);
  std::vector<std::vector<double>> times(loops.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < loops.size(); ++i) times[i].push_back(loops[i].run());
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < loops.size(); ++i) {
    if (median(times[i]) < median(times[best])) best = i;
  }
  return kWindows[best];
}

}  // namespace slipway::bench
