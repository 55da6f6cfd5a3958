// Starts a program that outlives the process of the host, for plug-ins whose apps need a process of
// their own: a supervisor, or the app itself.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "slipway/dict.hpp"
#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// What start_background() starts. The caller keeps the descriptors, and closes them.
struct BackgroundProgram {
  /// The program and its arguments. The program is a path, which starts at `cwd` if it is relative,
  /// or a name on the PATH of `environment`.
  StrList argv;
  std::string cwd;  ///< its working directory; empty for "/", which keeps no file system busy
  const StrList* environment = nullptr;  ///< "NAME=value" entries; null for the caller's
  // The descriptors that become the program's standard streams; -1 for /dev/null.
  int in = -1;
  int out = -1;
  int err = -1;
};

namespace detail {

/// The process of start_background() between fork() and exec. Calls only functions that are safe
/// after the fork of a process with threads.
class BackgroundChild {
 public:
  /// run() writes its pid to `report`. If the program cannot be executed, it then writes an errno,
  /// which is negative if the working directory is the reason.
  BackgroundChild(const BackgroundProgram& program, int report)
      : words_(pointers(program.argv)),
        cwd_(program.cwd.empty() ? "/" : program.cwd.c_str()),
        streams_{program.in, program.out, program.err},
        report_(report) {
    if (program.environment != nullptr) variables_ = pointers(*program.environment);
  }

  [[noreturn]] void run() {
    ::setsid();
    // The parent of the program ends at once, so that init, and not the host, reaps the program.
    const pid_t child = ::fork();
    if (child != 0) ::_exit(0);
    send(::getpid());
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    // A signal that the caller ignores would stay ignored after the exec. These are the signals
    // that programs commonly ignore.
    for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD})
      ::signal(number, SIG_DFL);
    if (connect_streams()) {
      if (::chdir(cwd_) != 0) {
        send(-errno);
        ::_exit(kNotRun);
      }
      if (!variables_.empty()) environ = variables_.data();
      ::execvp(words_[0], words_.data());
    }
    send(errno);
    ::_exit(kNotRun);
  }

 private:
  static std::vector<char*> pointers(const StrList& texts) {
    std::vector<char*> out;
    for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
    out.push_back(nullptr);
    return out;
  }

  void send(int number) const {
    while (::write(report_, &number, sizeof number) < 0 && errno == EINTR) {
    }
  }

  /// Connects the three streams, and marks all other descriptors so that the exec closes them.
  /// Returns false with errno set on failure.
  bool connect_streams() const {
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0) return false;
    // First copies all streams to numbers above 2, because a stream may have another one's number.
    int copies[3];
    for (int i = 0; i < 3; ++i) {
      copies[i] = ::fcntl(streams_[i] < 0 ? nothing : streams_[i], F_DUPFD_CLOEXEC, 3);
      if (copies[i] < 0) return false;
    }
    for (int i = 0; i < 3; ++i)
      if (::dup2(copies[i], i) != i) return false;
    constexpr unsigned kMarkOnly = 4;  // CLOSE_RANGE_CLOEXEC
    if (::syscall(kCloseRange, 3U, ~0U, kMarkOnly) == 0) return true;
    // Before Linux 5.11, the kernel lacks the flag.
    if (!mark_listed()) {
      constexpr int kMost = 65536;  // a limit of a billion descriptors would take minutes
      for (int fd = 3; fd < kMost; ++fd) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    return true;
  }

  /// An entry of SYS_getdents64.
  struct Entry {
    std::uint64_t inode;
    std::int64_t offset;
    std::uint16_t length;  ///< of this entry, in bytes
    std::uint8_t type;
    char name[1];  ///< up to a NUL
  };

  /// Marks the descriptors that the kernel lists. Returns false if it does not list them.
  static bool mark_listed() {
    const int list = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (list < 0) return false;
    alignas(Entry) char entries[4096];
    long length = 0;
    while ((length = ::syscall(SYS_getdents64, list, entries, sizeof entries)) > 0) {
      for (long at = 0; at < length;) {
        const auto* const entry = reinterpret_cast<const Entry*>(entries + at);
        at += entry->length;
        int fd = 0;
        const char* digit = entry->name;
        for (; *digit >= '0' && *digit <= '9'; ++digit) fd = fd * 10 + (*digit - '0');
        if (*digit == '\0' && fd > 2) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
      }
    }
    return length == 0;
  }

  static constexpr int kNotRun = 127;  // the status of shells for a missing program
  // Since Linux 5.9; the headers may be older. On MIPS and Alpha, which have other numbers, the
  // call fails as on an older kernel.
  static constexpr long kCloseRange = 436;

  std::vector<char*> words_;
  std::vector<char*> variables_;
  const char* cwd_;
  int streams_[3];  ///< -1 for /dev/null
  int report_;      ///< the write end of start_background()'s pipe
};

}  // namespace detail

/// Starts the program in a Unix session of its own and returns its pid as soon as the program is
/// executed. The program has no blocked signals, and of the caller's descriptors only its streams.
/// It continues when the caller ends, gets no signal from the caller's terminal, and is not a child
/// of the caller. Throws Error kUnavailable if the program cannot be executed, its working
/// directory cannot be entered, or the machine lacks processes or descriptors. [any thread]
inline pid_t start_background(const BackgroundProgram& program) {
  const auto fail = [&](int error) {
    const std::string what =
        error < 0 ? "cannot enter " + program.cwd : "cannot run " + program.argv.front();
    throw Error(Code::kUnavailable, what + ": " + std::strerror(error < 0 ? -error : error));
  };
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail(errno);
  const OwnedFd read_end(ends[0]);
  OwnedFd write_end(ends[1]);
  // If the host has closed its own streams, the pipe may have their numbers, and the streams of the
  // program would replace it.
  write_end = OwnedFd(::fcntl(write_end.get(), F_DUPFD_CLOEXEC, 3));
  if (!write_end) fail(errno);
  detail::BackgroundChild child(program, write_end.get());
  const pid_t parent = ::fork();
  if (parent < 0) fail(errno);
  if (parent == 0) child.run();
  write_end.reset();
  while (::waitpid(parent, nullptr, 0) < 0 && errno == EINTR) {
  }
  const auto receive = [&](int& number) {
    ssize_t got = 0;
    while ((got = ::read(read_end.get(), &number, sizeof number)) < 0 && errno == EINTR) {
    }
    return got == static_cast<ssize_t>(sizeof number);
  };
  int pid = 0;
  int error = 0;
  if (!receive(pid)) fail(EAGAIN);  // the second fork() failed
  if (receive(error)) fail(error);
  return pid;
}

}  // namespace sdk_1_0
}  // namespace slipway
