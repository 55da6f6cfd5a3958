#include "plugins/local/engine/control.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <string_view>

#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/control_protocol.hpp"
#include "plugins/local/engine/control_socket.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/helper_process.hpp"
#include "plugins/local/engine/state_file.hpp"

namespace slipway::local {
namespace {

/// How long a process that holds the lock may take until its socket is there, and how often the lock
/// is looked at meanwhile: no event tells when a dying process lets go of it.
constexpr int kTakeoverMs = 500;
constexpr int kTakeoverLooks = 20;

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

/// Connects; while somebody holds the lock without listening yet (a successor that is just taking
/// over), waits until the socket appears. Empty: nobody supervises the app.
OwnedFd connect_to(const AppRef& app) {
  const OwnedFd dir = open_app_dir(app);
  if (!dir) return OwnedFd();
  OwnedFd socket = connect_control(dir.get());
  if (socket) return socket;
  if (!nobody_listens()) connection_failed(app);
  OwnedFd watch;
  int looks = 0;
  while (lock_is_held(dir.get()) && !is_finished(app)) {
    if (!watch) {
      watch.reset(::inotify_init1(IN_CLOEXEC));
      const std::string path = "/proc/self/fd/" + std::to_string(dir.get());
      const int mask = IN_MOVED_TO | IN_DELETE | IN_ONLYDIR;
      if (!watch ||
          ::inotify_add_watch(watch.get(), path.c_str(), static_cast<std::uint32_t>(mask)) < 0) {
        connection_failed(app);
      }
    } else {
      pollfd ready{watch.get(), POLLIN, 0};
      const int n = ::poll(&ready, 1, kTakeoverMs);
      if (n == 0 && ++looks == kTakeoverLooks) {
        errno = ETIMEDOUT;
        connection_failed(app);
      }
      alignas(inotify_event) std::array<char, 4096> events;
      if (n > 0 && ::read(watch.get(), events.data(), events.size()) < 0 && errno != EINTR) {
        connection_failed(app);
      }
    }
    socket = connect_control(dir.get());
    if (socket) return socket;
    if (!nobody_listens()) connection_failed(app);
  }
  return OwnedFd();
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
  const auto start = std::chrono::steady_clock::now();
  // The connection without a request: nothing comes but its end.
  const OwnedFd socket = connect_to(app);
  if (!socket) return true;
  for (;;) {
    int wait_ms = -1;
    if (timeout) {
      const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(
          std::chrono::steady_clock::now() - start);
      const auto left = (*timeout - used).count();
      wait_ms = left <= 0 ? 0 : static_cast<int>(left < INT_MAX ? left : INT_MAX);
    }
    pollfd ready{socket.get(), POLLIN, 0};
    const int n = ::poll(&ready, 1, wait_ms);
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

void settle(const AppRef& app, const std::string& helper_path) {
  const OwnedFd dir = open_app_dir(app);
  if (!dir || lock_is_held(dir.get())) return;
  const auto summary = read_summary(app);
  if (!summary || is_terminal(summary->state)) return;
  const OwnedFd lock = try_lock(dir.get(), true);
  if (!lock) return;
  // Whoever held the lock may have finished the app between our look and our lock.
  if (is_finished(app)) return;
  start_helper(helper_path, "recover", app_dir_path(app), lock.get(), -1);
}

}  // namespace slipway::local
