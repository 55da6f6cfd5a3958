#include "plugins/local/engine/control.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <string_view>

#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/control_protocol.hpp"
#include "plugins/local/engine/control_socket.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/helper_process.hpp"
#include "plugins/local/engine/other_version.hpp"
#include "plugins/local/engine/state_file.hpp"
#include "plugins/local/engine/supervisor_signal.hpp"

namespace slipway::local {
namespace {

/// How long a process that holds the lock may take until its socket is there, and how often the lock
/// is looked at meanwhile: no event tells when a dying process lets go of it.
constexpr int kTakeoverMs = 500;
constexpr int kTakeoverLooks = 20;
/// How many successors are tried, one after the other.
constexpr int kSuccessors = 3;

bool send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool nobody_listens() { return errno == ENOENT || errno == ECONNREFUSED; }

bool is_finished(const AppRef& app) {
  const auto summary = read_summary(app);
  return !summary || is_terminal(summary->state);
}

[[noreturn]] void connection_failed(const AppRef& app) {
  throw system_error(Code::kUnavailable, "cannot reach the supervisor of", app.app_id, errno);
}

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/// Milliseconds until `deadline`, rounded up, at most `most`.
int left_until(const Deadline& deadline, int most) {
  if (!deadline) return most;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now());
  return left.count() <= 0 ? 0 : static_cast<int>(std::min<std::int64_t>(left.count(), most));
}

OwnedFd watch_directory(const AppRef& app, int dir_fd) {
  OwnedFd watch(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  const std::string path = "/proc/self/fd/" + std::to_string(dir_fd);
  constexpr std::uint32_t kMask = IN_MOVED_TO | IN_DELETE | IN_ONLYDIR;
  if (!watch || ::inotify_add_watch(watch.get(), path.c_str(), kMask) < 0) connection_failed(app);
  return watch;
}

/// Connects. While somebody holds the lock and nobody listens (a successor is just taking over, or
/// the socket's name was removed), asks for the socket and waits until it appears. Empty: nobody
/// supervises the app, or with `timed_out` the deadline has come.
OwnedFd connect_to(const AppRef& app, const Deadline& deadline, bool& timed_out) {
  timed_out = false;
  const OwnedFd dir = open_app_dir(app);
  if (!dir) return OwnedFd();
  OwnedFd watch;
  for (int looks = 0;; ++looks) {
    OwnedFd socket = connect_control(dir.get());
    if (socket) return socket;
    if (!nobody_listens()) connection_failed(app);
    if (!lock_is_held(dir.get()) || is_finished(app)) return OwnedFd();
    if (!watch) {
      watch = watch_directory(app, dir.get());
      // Once more without waiting: it may have come before the watch.
      continue;
    }
    if (looks > kTakeoverLooks) {
      errno = ETIMEDOUT;
      connection_failed(app);
    }
    ask_for_socket(app);
    const int wait_ms = left_until(deadline, kTakeoverMs);
    if (wait_ms == 0) {
      timed_out = true;
      return OwnedFd();
    }
    pollfd ready{watch.get(), POLLIN, 0};
    alignas(inotify_event) std::array<char, 4096> events;
    if (::poll(&ready, 1, wait_ms) > 0 && ::read(watch.get(), events.data(), events.size()) < 0 &&
        errno != EINTR) {
      connection_failed(app);
    }
  }
}

OwnedFd connect_to(const AppRef& app) {
  bool timed_out = false;
  return connect_to(app, std::nullopt, timed_out);
}

/// How long a supervisor may take to answer; it looks at its socket after every few starts.
constexpr time_t kAnswerSeconds = 10;

std::int32_t summary_supervisor(const AppRef& app) {
  const auto snapshot = read_app(app);
  return snapshot ? snapshot->supervisor_pid : 0;
}

std::string_view watch_request(Changes changes) {
  return changes == Changes::kState ? kWatchStateRequest : kWatchRequest;
}

}  // namespace

std::optional<AppEvents> AppEvents::open(const AppRef& app, Changes changes) {
  OwnedFd socket = connect_to(app);
  if (!socket || !send_all(socket.get(), watch_request(changes))) return std::nullopt;
  return AppEvents(std::move(socket), changes);
}

bool AppEvents::drain() {
  bool notified = false;
  char buffer[256];
  for (;;) {
    const ssize_t n = ::recv(socket_.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (n > 0) {
      notified = true;
    } else if (n == 0) {
      return false;
    } else if (errno != EINTR) {
      if (errno != EAGAIN) return false;
      break;
    }
  }
  return !notified || send_all(socket_.get(), watch_request(changes_));
}

bool wait_for_end(const AppRef& app, std::optional<std::chrono::milliseconds> timeout) {
  Deadline deadline;
  // More than a year is for ever, and would overflow in the end.
  if (timeout && *timeout < std::chrono::hours(24 * 366))
    deadline = std::chrono::steady_clock::now() + *timeout;
  bool timed_out = false;
  // The connection without a request: nothing comes but its end.
  const OwnedFd socket = connect_to(app, deadline, timed_out);
  if (!socket) return !timed_out;
  for (;;) {
    const int wait_ms = left_until(deadline, INT_MAX);
    pollfd ready{socket.get(), POLLIN, 0};
    const int n = ::poll(&ready, 1, deadline ? wait_ms : -1);
    if (n > 0) return true;
    if (n == 0 && wait_ms == 0) return false;
    if (n < 0 && errno != EINTR) connection_failed(app);
  }
}

void cancel_app(const AppRef& app, std::optional<std::chrono::milliseconds> grace, bool now) {
  const auto summary = read_summary(app);
  if (!summary)
    throw Error(Code::kNotFound, "there is no app " + app.app_id + " in session " + app.session);
  if (is_terminal(summary->state)) return;
  const OwnedFd socket = connect_to(app);
  if (socket) {
    const std::string request =
        now ? std::string(kKillRequest)
            : std::string(kCancelWord) + std::to_string(grace ? grace->count() : -1) + '\n';
    std::string answer;
    // A supervisor that is stopped (SIGSTOP) would never answer.
    const timeval limit{kAnswerSeconds, 0};
    ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (send_all(socket.get(), request)) {
      char buffer[kMaxRequest];
      while (answer != kAcceptedAnswer) {
        const ssize_t n = ::recv(socket.get(), buffer, sizeof buffer, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) {
          throw Error(Code::kTemporary,
                      "the supervisor of the app " + app.app_id + " does not answer",
                      "process " + std::to_string(summary_supervisor(app)) +
                          " may be stopped: kill -CONT lets it go on");
        }
        if (n <= 0) break;
        answer.append(buffer, static_cast<std::size_t>(n));
      }
    }
    if (answer == kAcceptedAnswer) return;
  }
  // The end of the app closes connections that nobody answered.
  if (is_finished(app)) return;
  throw Error(Code::kTemporary, "nobody supervises the app " + app.app_id, "try again");
}

bool supervisor_alive(const AppRef& app) {
  const OwnedFd dir = open_app_dir(app);
  return dir && lock_is_held(dir.get());
}

namespace {

/// The supervisor answers after it has looked after its files.
void have_record_mended(int dir_fd) {
  const OwnedFd socket = connect_control(dir_fd);
  const timeval limit{1, 0};
  char answer[kMaxRequest];
  if (socket && ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0 &&
      send_all(socket.get(), kWatchRequest)) {
    while (::recv(socket.get(), answer, sizeof answer, 0) < 0 && errno == EINTR) {
    }
  }
}

/// Removes the socket that a supervisor left when it was killed in its very last steps.
void remove_dead_socket(int dir_fd) {
  if (socket_inode(dir_fd) == 0) return;
  const OwnedFd lock = try_lock(dir_fd);
  if (!lock) return;
  ::unlinkat(dir_fd, kSocketName, 0);
  ::unlinkat(dir_fd, kSocketDraftName, 0);
}

}  // namespace

std::optional<AppSummary> settle(const AppRef& app, const std::string& helper_path) {
  const OwnedFd dir = open_app_dir(app);
  if (!dir) return std::nullopt;
  std::optional<AppSummary> summary;
  try {
    summary = read_summary(app, dir.get());
    // Neither the lock nor the processes of another machine can be seen from here.
    if (summary->foreign != Foreign::kNo) return summary;
    if (is_terminal(summary->state)) {
      remove_dead_socket(dir.get());
      return summary;
    }
  } catch (const OtherVersion&) {
    // Only the supervisor of a record knows whether its version was damaged.
    if (!lock_is_held(dir.get())) throw;
  } catch (const Error&) {
    // below: who holds the lock writes it anew, and so does a successor
  }
  if (lock_is_held(dir.get())) {
    if (summary) return summary;
    have_record_mended(dir.get());
    return read_summary(app);
  }
  const OwnedFd lock = try_lock(dir.get());
  // Whoever held the lock may have finished the app between our look and our lock.
  if (!lock || (summary && is_finished(app))) return read_summary(app);
  for (int left = kSuccessors;;) {
    try {
      start_helper(helper_path, "recover", app_dir_path(app), lock.get(), -1, {});
      return read_summary(app);
    } catch (const Error& error) {
      // One that was killed says nothing about the next.
      if (error.code() == Code::kTemporary && --left > 0) continue;
      // What is wrong with the record, and what to do, is said best by who reads it.
      if (!summary) read_summary(app);
      throw;
    }
  }
}

}  // namespace slipway::local
