#include "tests/bench/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <exception>
#include <stdexcept>
#include <system_error>

#include "tests/bench/interruption.hpp"

namespace slipway::bench {
namespace {

std::string joined(const Argv& argv) {
  std::string text;
  for (const std::string& word : argv) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// Starts the program with `output` as standard output, or /dev/null if `output` is negative.
pid_t spawn(const Argv& argv, int output) {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int fd : {0, 1, 2}) {
    if (fd == 1 && output >= 0) {
      ::posix_spawn_file_actions_adddup2(&actions, output, 1);
    } else {
      ::posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    }
  }
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, words[0], &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw std::system_error(error, std::generic_category(), "cannot start " + argv[0]);
  return pid;
}

/// Calls spawn(), but throws after a signal.
pid_t spawn_unless_interrupted(const Argv& argv, int output) {
  fail_if_interrupted();
  return spawn(argv, output);
}

/// Returns the wait status. Throws if a signal arrives first; the child is then still running.
int reap(pid_t pid) {
  int status = 0;
  if (::waitpid(pid, &status, 0) < 0) throw std::runtime_error("interrupted");
  return status;
}

void expect_success(int status, const std::string& name) {
  if (status == 0) return;
  throw std::runtime_error((WIFEXITED(status) ? "exit status " + std::to_string(WEXITSTATUS(status))
                                              : "signal " + std::to_string(WTERMSIG(status))) +
                           " from: " + name);
}

}  // namespace

std::int64_t monotonic_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

ChildProcess::ChildProcess(const Argv& argv, int output)
    : name_(joined(argv)), pid_(spawn_unless_interrupted(argv, output)) {}

ChildProcess::~ChildProcess() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

std::int64_t ChildProcess::wait() {
  const int status = reap(pid_);
  const std::int64_t now = monotonic_ns();
  pid_ = -1;
  expect_success(status, name_);
  return now;
}

double timed_run(const Argv& argv) {
  const std::int64_t begin = monotonic_ns();
  ChildProcess child(argv);
  return static_cast<double>(child.wait() - begin) / 1e6;
}

void run_cleanup(const Argv& argv) noexcept {
  try {
    ::waitpid(spawn(argv, -1), nullptr, 0);
  } catch (const std::exception&) {
    // The exception that is being reported came first.
  }
}

long peak_memory_kb(const Argv& argv) {
  const pid_t pid = spawn_unless_interrupted(argv, -1);
  int status = 0;
  rusage usage{};
  if (::wait4(pid, &status, 0, &usage) < 0) throw std::runtime_error("interrupted");
  expect_success(status, joined(argv));
  return usage.ru_maxrss;
}

std::string output_of(const Argv& argv) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  const pid_t pid = spawn_unless_interrupted(argv, ends[1]);
  ::close(ends[1]);
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t n = 0; (n = ::read(ends[0], buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  ::close(ends[0]);
  expect_success(reap(pid), joined(argv));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace slipway::bench
