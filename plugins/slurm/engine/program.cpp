#include "plugins/slurm/engine/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "plugins/slurm/engine/owned_fd.hpp"
#include "slipway/error.hpp"

namespace slipway::slurm {

namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  OwnedFd read;
  OwnedFd write;
};

[[noreturn]] void fail(const std::string& program, int error) {
  throw Error(Code::kUnavailable, "cannot run " + program + ": " + std::strerror(error));
}

Pipe make_pipe(const std::string& program) {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) fail(program, errno);
  return {OwnedFd(fds[0]), OwnedFd(fds[1])};
}

/// Owns what posix_spawn wants to be told.
struct SpawnSettings {
  SpawnSettings(int out, int err) {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, out, 1);
    ::posix_spawn_file_actions_adddup2(&actions, err, 2);
    ::posix_spawnattr_init(&attributes);
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  }
  ~SpawnSettings() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

/// Reads what there is; closes at the end.
void drain(OwnedFd& fd, std::string& into) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
  if (count > 0) {
    into.append(buffer.data(), static_cast<std::size_t>(count));
  } else if (count == 0 || errno != EINTR) {
    fd.reset();
  }
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Until both ends are closed, or time or patience are over.
ProgramResult::End collect(Pipe& out, Pipe& err, ProgramResult& result, Clock::time_point deadline,
                           int cancel_fd) {
  while (out.read.get() >= 0 || err.read.get() >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return ProgramResult::End::kTimeout;
    pollfd fds[3] = {
        {out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}, {cancel_fd, POLLIN, 0}};
    if (::poll(fds, 3, static_cast<int>(left)) < 0 && errno != EINTR)
      return ProgramResult::End::kTimeout;
    if (fds[2].revents != 0) return ProgramResult::End::kCancelled;
    if (fds[0].revents != 0) drain(out.read, result.out);
    if (fds[1].revents != 0) drain(err.read, result.err);
  }
  return ProgramResult::End::kExited;
}

}  // namespace

ProgramResult run_program(const StrList& argv, std::chrono::milliseconds timeout, int cancel_fd) {
  const Clock::time_point deadline = Clock::now() + timeout;
  Pipe out = make_pipe(argv.front());
  Pipe err = make_pipe(argv.front());
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);

  pid_t pid = 0;
  {
    const SpawnSettings settings(out.write.get(), err.write.get());
    const int error = ::posix_spawnp(&pid, words.front(), &settings.actions, &settings.attributes,
                                     words.data(), environ);
    ProgramResult missing;
    missing.end = ProgramResult::End::kMissing;
    if (error == ENOENT) return missing;
    if (error != 0) fail(argv.front(), error);
  }
  out.write.reset();
  err.write.reset();

  ProgramResult result;
  result.end = collect(out, err, result, deadline, cancel_fd);
  if (result.end != ProgramResult::End::kExited) ::kill(-pid, SIGKILL);
  result.status = wait_for(pid);
  return result;
}

}  // namespace slipway::slurm
