// Runs a program for a limited time and reads its output, for plug-ins that use the commands of an
// engine.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipway/dict.hpp"
#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"
#include "slipway/search_paths.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// The outcome of a program.
struct ProgramResult {
  enum class End {
    kExited,     ///< the program ended by itself, with `status`
    kNotFound,   ///< no such program at its path, or in searchable directories of PATH
    kTimeout,    ///< killed at the time limit
    kTooMuch,    ///< killed at the limit of its output
    kCancelled,  ///< killed because the caller cancelled
  };
  End end = End::kExited;
  int status = 0;   ///< only for kExited: the exit status, or 128+n after signal n
  int signal = 0;   ///< only for kExited: the signal that ended the program, or 0
  std::string out;  ///< standard output, even of a killed program
  std::string err;  ///< standard error, even of a killed program

  /// Returns whether the program exited with 0.
  bool ok() const { return end == End::kExited && status == 0; }
};

/// The limits and the environment of a program. The pointers must be valid until the call returns.
struct ProgramLimits {
  std::chrono::milliseconds time{10'000};  ///< from the start of the program to its end
  std::size_t output = 0;                  ///< bytes on each of its two streams; 0 for no limit
  int cancel_fd = -1;  ///< readable when the caller cancels, see Call::cancel_fd(); or -1
  const StrList* environment = nullptr;  ///< "NAME=value" entries; null for the caller's
  /// A socket pair on which the program may ask the caller: `channel` is the program's end, which
  /// becomes its descriptor 3, and `questions` is the caller's end. Both are -1 without a pair.
  int channel = -1;
  int questions = -1;
  /// Called when `questions` is readable, in the thread of run_program(). Returns whether more
  /// questions may follow. If it throws, run_program() kills the program and throws the same.
  const std::function<bool()>* on_question = nullptr;
};

namespace detail {

/// One running program of run_program().
class RunningProgram {
 public:
  using Clock = std::chrono::steady_clock;

  RunningProgram(const StrList& argv, const ProgramLimits& limits)
      : limits_(limits), deadline_(Clock::now() + limits.time) {
    Pipe out(argv.front());
    Pipe err(argv.front());
    start(argv, out.write.get(), err.write.get());
    if (pid_ < 0) return;
    process_ = OwnedFd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    // Without pidfd_open() (before Linux 5.3, or forbidden in a container) has_ended() polls.
    if (!process_ && errno != ENOSYS && errno != EPERM) {
      const int error = errno;
      end_by_force();
      fail(argv.front(), error);
    }
    out_ = std::move(out.read);
    err_ = std::move(err.read);
  }

  bool is_missing() const { return pid_ < 0; }

  /// Waits until the program has ended and its streams are closed. Kills it at a limit.
  ProgramResult finish() {
    ProgramResult result;
    result.end = watch(result);
    const int status = result.end != ProgramResult::End::kExited ? end_by_force() : reap(WNOHANG);
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    result.status = result.signal != 0 ? 128 + result.signal : WEXITSTATUS(status);
    return result;
  }

 private:
  struct Pipe {
    explicit Pipe(const std::string& program) {
      int fds[2];
      if (::pipe2(fds, O_CLOEXEC) != 0) fail(program, errno);
      read = OwnedFd(fds[0]);
      write = OwnedFd(fds[1]);
    }
    OwnedFd read;
    OwnedFd write;
  };

  [[noreturn]] static void fail(const std::string& program, int error) {
    throw Error(Code::kUnavailable, "cannot run " + program + ": " + std::strerror(error));
  }

  /// Starts the program with these standard streams and sets pid_. Leaves pid_ at -1 if there is no
  /// such program.
  void start(const StrList& argv, int out, int err) {
    struct sigaction child {};
    ::sigaction(SIGCHLD, nullptr, &child);
    if (child.sa_handler == SIG_IGN || (child.sa_flags & SA_NOCLDWAIT) != 0) {
      throw Error(Code::kUnavailable,
                  "cannot run " + argv.front() +
                      ": this process ignores SIGCHLD, so that the exit status would be lost",
                  "set SIGCHLD to SIG_DFL");
    }
    std::vector<char*> words;
    for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files, out, 1);
    ::posix_spawn_file_actions_adddup2(&files, err, 2);
    if (limits_.channel >= 0) ::posix_spawn_file_actions_adddup2(&files, limits_.channel, 3);
    ::posix_spawnattr_init(&attributes);
    // The program gets its own process group, so that its children can be killed with it, no
    // blocked signals, and SIGPIPE with its default effect, because the host ignores SIGPIPE.
    sigset_t none;
    sigset_t usual;
    ::sigemptyset(&none);
    ::sigemptyset(&usual);
    ::sigaddset(&usual, SIGPIPE);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &usual);
    ::posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t pid = -1;
    std::vector<char*> variables;
    if (limits_.environment != nullptr) {
      for (const std::string& entry : *limits_.environment)
        variables.push_back(const_cast<char*>(entry.c_str()));
      variables.push_back(nullptr);
    }
    char** const environment = variables.empty() ? environ : variables.data();
    int error = ::posix_spawnp(&pid, words[0], &files, &attributes, words.data(), environment);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&files);
    // The C library uses clone3(), which old container engines forbid with EPERM.
    if (error == EPERM) error = start_forked(words, environment, out, err, limits_.channel, pid);
    if (error == 0) {
      pid_ = pid;
    } else if (error != ENOENT && (error != EACCES || is_visible(argv.front()))) {
      fail(argv.front(), error);
    }
  }

  /// Returns whether a directory of PATH shows a file of this name. Without one, the exec reports
  /// EACCES if the caller may not search one of the directories. Returns true for a name with a
  /// slash, which is not searched.
  static bool is_visible(const std::string& name) {
    const char* const path = std::getenv("PATH");
    if (name.find('/') != std::string::npos || path == nullptr) return true;
    const std::vector<std::string_view> directories = path_directories(path);
    return std::any_of(directories.begin(), directories.end(), [&](std::string_view directory) {
      return ::access((std::string(directory) + '/' + name).c_str(), F_OK) == 0;
    });
  }

  /// Starts the program with fork() instead. Returns 0 or an errno.
  static int start_forked(const std::vector<char*>& words, char** environment, int out, int err,
                          int channel, pid_t& pid) {
    Pipe failure(words[0]);
    pid = ::fork();
    if (pid < 0) return errno;
    if (pid == 0) {
      ::setpgid(0, 0);
      sigset_t none;
      ::sigemptyset(&none);
      ::sigprocmask(SIG_SETMASK, &none, nullptr);
      ::signal(SIGPIPE, SIG_DFL);
      const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
      if (::dup2(nothing, 0) == 0 && ::dup2(out, 1) == 1 && ::dup2(err, 2) == 2 &&
          (channel < 0 || ::dup2(channel, 3) == 3)) {
        // dup2() of a descriptor to itself does not let it survive the exec.
        for (int fd = 0; fd < (channel < 0 ? 3 : 4); ++fd) ::fcntl(fd, F_SETFD, 0);
        ::execvpe(words[0], words.data(), environment);  // searches the caller's PATH
      }
      const int error = errno;
      // If this fails, the caller learns nothing but the exit status.
      const ssize_t written = ::write(failure.write.get(), &error, sizeof error);
      ::_exit(written < 0 ? 126 : 127);
    }
    failure.write.reset();
    int error = 0;
    ssize_t got = 0;
    while ((got = ::read(failure.read.get(), &error, sizeof error)) < 0 && errno == EINTR) {
    }
    if (got != static_cast<ssize_t>(sizeof error)) return 0;
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return error;
  }

  /// Reads the streams into `result` until the program has ended or must be killed. Returns which.
  ProgramResult::End watch(ProgramResult& result) {
    while (out_ || err_ || !ended_) {
      if (time_left() <= 0) return ProgramResult::End::kTimeout;
      const Ready ready = wait_for_events();
      if (ready.cancel) return ProgramResult::End::kCancelled;
      if (ready.question) answer();
      if (ready.out) drain(out_, result.out);
      if (ready.err) drain(err_, result.err);
      if (is_too_much(result.out) || is_too_much(result.err)) return ProgramResult::End::kTooMuch;
    }
    return ProgramResult::End::kExited;
  }

  /// The descriptors that are readable.
  struct Ready {
    bool out = false;
    bool err = false;
    bool cancel = false;    ///< ProgramLimits::cancel_fd
    bool question = false;  ///< ProgramLimits::questions
  };

  Ready wait_for_events() {
    // After the end of the program, poll() ignores the pidfd, which stays readable, and questions,
    // whose answers no program would read.
    pollfd fds[5] = {{out_.get(), POLLIN, 0},
                     {err_.get(), POLLIN, 0},
                     {limits_.cancel_fd, POLLIN, 0},
                     {ended_ ? -1 : process_.get(), POLLIN, 0},
                     {ended_ ? -1 : limits_.questions, POLLIN, 0}};
    if (::poll(fds, 5, pause()) < 0) return {};
    if (fds[3].revents != 0 || has_ended()) ended_ = true;
    return {fds[0].revents != 0, fds[1].revents != 0, fds[2].revents != 0, fds[4].revents != 0};
  }

  void answer() {
    try {
      if (!(*limits_.on_question)()) limits_.questions = -1;
    } catch (...) {
      end_by_force();
      throw;
    }
  }

  bool is_too_much(const std::string& text) const {
    return limits_.output > 0 && text.size() > limits_.output;
  }

  /// Returns the remaining time in milliseconds, rounded up, for poll().
  int time_left() const {
    const auto left =
        std::chrono::duration_cast<std::chrono::microseconds>(deadline_ - Clock::now()).count();
    if (left <= 0) return 0;
    return static_cast<int>(std::min<long long>(left / 1000 + 1, 1 << 30));
  }

  /// Returns the timeout of poll() in milliseconds. It is short if there is no pidfd that reports
  /// the program's end.
  int pause() const { return process_ || ended_ ? time_left() : std::min(time_left(), 10); }

  /// Without a pidfd, returns whether the program has ended. With one, returns false.
  bool has_ended() const {
    siginfo_t info{};
    return !process_ &&
           ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == pid_;
  }

  static void drain(OwnedFd& fd, std::string& into) {
    char buffer[8192];
    const ssize_t count = ::read(fd.get(), buffer, sizeof buffer);
    if (count > 0) {
      into.append(buffer, static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      fd.reset();
    }
  }

  /// Kills the program, and waits for its end, but not longer than `time` of the limits: a process
  /// that hangs in a driver does not end even after SIGKILL. Returns its status as reap() does.
  int end_by_force() {
    ::kill(-pid_, SIGKILL);
    deadline_ = Clock::now() + limits_.time;
    while (time_left() > 0 && !ended_) {
      pollfd process{process_.get(), POLLIN, 0};
      ended_ = ::poll(&process, 1, pause()) > 0 || has_ended();
    }
    return reap(WNOHANG);
  }

  /// Takes the program's status from the kernel. Returns it in the form of waitpid(2).
  int reap(int flags) {
    int status = 0;
    while (::waitpid(pid_, &status, flags) < 0 && errno == EINTR) {
    }
    return status;
  }

  ProgramLimits limits_;
  Clock::time_point deadline_;
  pid_t pid_ = -1;
  bool ended_ = false;
  OwnedFd process_;  ///< a pidfd; none if the kernel does not offer it
  OwnedFd out_;
  OwnedFd err_;
};

}  // namespace detail

/// Runs `argv` with an empty standard input until it has ended and its streams are closed. Searches
/// the caller's PATH if the first word has no slash. At a limit, or when the caller cancels, kills
/// the program and its process group. Returns after at most `limits.time`, or twice that time if
/// SIGKILL does not end the program. Throws Error kUnavailable if the system cannot start it. [any
/// thread]
inline ProgramResult run_program(const StrList& argv, const ProgramLimits& limits) {
  detail::RunningProgram program(argv, limits);
  if (!program.is_missing()) return program.finish();
  ProgramResult missing;
  missing.end = ProgramResult::End::kNotFound;
  return missing;
}

/// Runs `argv` in the same way and returns its standard output. Returns nullopt if the program
/// cannot be started, is killed at a limit, or exits with another status than 0. Throws no Error.
/// [any thread]
inline std::optional<std::string> program_output(const StrList& argv, const ProgramLimits& limits) {
  try {
    ProgramResult result = run_program(argv, limits);
    if (!result.ok()) return std::nullopt;
    return std::move(result.out);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace sdk_1_0
}  // namespace slipway
