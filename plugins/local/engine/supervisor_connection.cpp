#include "plugins/local/engine/supervisor_connection.hpp"

#include <poll.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <string>

#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/control_protocol.hpp"
#include "plugins/local/engine/control_socket.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/state_bytes.hpp"
#include "plugins/local/engine/supervisor_signal.hpp"

namespace slipway::local {
namespace {

using Clock = std::chrono::steady_clock;

/// How long a process that holds the lock may take until its socket is there, before the lock is
/// looked at again: a dying process that lets go of it makes no event.
constexpr int kTakeoverMs = 500;

[[noreturn]] void connection_failed(const AppRef& app) {
  throw system_error(Code::kUnavailable, "cannot reach the supervisor of", app.app_id, errno);
}

bool nobody_listens() { return errno == ENOENT || errno == ECONNREFUSED; }

/// False also when the state cannot be read.
bool is_over(int dir_fd) {
  const StateBytes state(dir_fd, false);
  return state.problem().empty() &&
         is_terminal(static_cast<State>(state.at<std::uint32_t>(offsetof(StateHeader, app_state))));
}

/// Milliseconds until `deadline`, rounded up, from 0 to `most`.
int left_until(Clock::time_point deadline, int most) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, most));
}

OwnedFd watch_directory(const AppRef& app, int dir_fd) {
  OwnedFd watch(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  const std::string path = "/proc/self/fd/" + std::to_string(dir_fd);
  constexpr std::uint32_t kMask = IN_MOVED_TO | IN_DELETE | IN_ONLYDIR;
  if (!watch || ::inotify_add_watch(watch.get(), path.c_str(), kMask) < 0) connection_failed(app);
  return watch;
}

/// Waits for a change in the directory.
void await_change(const AppRef& app, int watch, int wait_ms) {
  pollfd ready{watch, POLLIN, 0};
  alignas(inotify_event) std::array<char, 4096> events;
  if (::poll(&ready, 1, wait_ms) > 0 && ::read(watch, events.data(), events.size()) < 0 &&
      errno != EINTR && errno != EAGAIN) {
    connection_failed(app);
  }
}

}  // namespace

Reached reach_supervisor(const AppRef& app, int dir_fd, int limit_ms, OwnedFd& socket) {
  const Clock::time_point deadline = Clock::now() + std::chrono::milliseconds(limit_ms);
  OwnedFd watch;
  for (;;) {
    // A limit of 0 would be none.
    const int left_ms = left_until(deadline, limit_ms);
    if (left_ms == 0) return Reached::kBusy;
    socket = connect_control(dir_fd, left_ms);
    if (socket) return Reached::kYes;
    if (errno == EAGAIN) return Reached::kBusy;
    if (!nobody_listens()) connection_failed(app);
    // Who has finished the app holds the lock for some more milliseconds.
    if (!lock_is_held(dir_fd) || is_over(dir_fd)) return Reached::kNobody;
    if (!watch) {
      watch = watch_directory(app, dir_fd);
      // Once more without waiting: the socket may have come before the watch.
      continue;
    }
    ask_for_socket(dir_fd);
    await_change(app, watch.get(), left_until(deadline, kTakeoverMs));
  }
}

bool send_request(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

Error no_answer(const AppRef& app, int dir_fd) {
  const std::int32_t pid = supervisor_of(dir_fd);
  return Error(
      Code::kTemporary, "the supervisor of the app " + app.app_id + " does not answer",
      pid == 0 ? "try again"
               : "process " + std::to_string(pid) + " may be stopped: `kill -CONT` lets it go on");
}

Reply exchange(const AppRef& app, int dir_fd, int socket, std::string_view request, int limit_ms) {
  const timeval limit{limit_ms / 1000, limit_ms % 1000 * 1000};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (!send_request(socket, request)) return {Reply::Kind::kUnread, {}};
  Reply reply{Reply::Kind::kLine, {}};
  char buffer[kMaxRequest];
  while (reply.line.empty() || reply.line.back() != '\n') {
    const ssize_t n = ::recv(socket, buffer, sizeof buffer, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) throw no_answer(app, dir_fd);
    // A socket that is closed with bytes that were not read resets its peer.
    if (n < 0 && errno == ECONNRESET) return {Reply::Kind::kUnread, {}};
    if (n <= 0) return {Reply::Kind::kGone, {}};
    reply.line.append(buffer, static_cast<std::size_t>(n));
  }
  return reply;
}

Answer ask_supervisor(const AppRef& app, int dir_fd, std::string_view request, int limit_ms) {
  OwnedFd socket;
  const Reached reached = reach_supervisor(app, dir_fd, limit_ms, socket);
  if (reached == Reached::kNobody) return Answer::kNobody;
  if (reached == Reached::kBusy) throw no_answer(app, dir_fd);
  const Reply reply = exchange(app, dir_fd, socket.get(), request, limit_ms);
  return reply.line == kAcceptedAnswer ? Answer::kAccepted : Answer::kEnded;
}

}  // namespace slipway::local
