#include "plugins/local/engine/supervisor_connection.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/control_socket.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/header_reader.hpp"
#include "plugins/local/engine/helper_process.hpp"
#include "plugins/local/engine/process_handle.hpp"
#include "sdk/support/directory_stream.hpp"

namespace slipway::local {
namespace {

using Clock = std::chrono::steady_clock;

/// Longest wait for a socket before checking the lock again: a dying process that releases the lock
/// causes no event.
constexpr int kTakeoverMs = 500;

[[noreturn]] void connection_failed(const AppRef& app) {
  throw system_error(Code::kUnavailable, "cannot reach the supervisor of", app.app_id, errno);
}

/// Returns whether connect_control() has failed because no process listens.
bool no_listener() { return errno == ENOENT || errno == ECONNREFUSED; }

/// Returns whether the app is terminal; false if its state cannot be read.
bool is_over(int dir_fd) {
  const HeaderReader state(dir_fd, HeaderPart::kWithoutRoles);
  return state.problem().empty() && is_terminal(static_cast<AppState>(
                                        state.at<std::uint32_t>(offsetof(StateHeader, app_state))));
}

/// Returns the milliseconds until `deadline`, rounded up, from 0 to `most`.
int left_until(Clock::time_point deadline, int most) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, most));
}

/// Watches the names in the app's directory.
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

/// Returns whether process `pid` has the command line of a supervisor of the directory.
bool supervises(std::int32_t pid, int dir_fd) {
  char line[8192];
  const std::string path = "/proc/" + std::to_string(pid) + "/cmdline";
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const ssize_t n = fd ? ::read(fd.get(), line, sizeof line) : -1;
  if (n <= 0) return false;
  std::string text(line, static_cast<std::size_t>(n));
  if (!text.empty() && text.back() == '\0') text.pop_back();
  const std::string program = text.substr(0, text.find('\0'));
  if (!program.ends_with(kHelperName)) return false;
  const std::string directory = text.substr(text.rfind('\0') + 1);
  struct stat named {};
  struct stat ours {};
  return ::stat(directory.c_str(), &named) == 0 && ::fstat(dir_fd, &ours) == 0 &&
         is_same_file(named, ours);
}

/// Returns the higher pid of supervisor and warden. Usually it is the supervisor's, because the
/// warden starts the supervisor. 0 if the app has neither.
std::int32_t find_in_proc(int dir_fd) {
  std::int32_t found = 0;
  const DirectoryStream proc(::opendir("/proc"));
  while (const dirent* entry = proc ? ::readdir(proc.get()) : nullptr) {
    const std::int32_t pid = std::atoi(entry->d_name);
    if (pid > found && supervises(pid, dir_fd)) found = pid;
  }
  return found;
}

/// Returns the pid of the supervisor from the app's state, or, if that cannot be read, from /proc.
/// 0 if none is known.
std::int32_t supervisor_of(int dir_fd) {
  const HeaderReader state(dir_fd, HeaderPart::kWithoutRoles);
  if (!state.problem().empty()) return find_in_proc(dir_fd);
  const auto pid = state.at<std::int32_t>(offsetof(StateHeader, supervisor_pid));
  return pid > 1 ? pid : 0;
}

/// Returns a hint that names the process to look at: the supervisor, or the warden if the
/// supervisor has died and the warden has not replaced it.
std::string hint_at_process(int dir_fd) {
  std::int32_t pid = supervisor_of(dir_fd);
  if (pid != 0 && !supervises(pid, dir_fd)) pid = find_in_proc(dir_fd);
  if (pid == 0) return "try again";
  return "process " + std::to_string(pid) + " may be stopped: `kill -CONT` resumes it";
}

/// Sends SIGHUP to the app's supervisor, which then restores `ctl.sock` and `state.bin`. Signals a
/// process only if its command line names the app's directory, so never another process that got
/// the pid.
void ask_for_socket(int dir_fd) {
  const std::int32_t pid = supervisor_of(dir_fd);
  if (pid != 0) ProcessHandle(pid, [&] { return supervises(pid, dir_fd); }).send(SIGHUP);
}

}  // namespace

Reached reach_supervisor(const AppRef& app, int dir_fd, int limit_ms, OwnedFd& socket) {
  const Clock::time_point deadline = Clock::now() + std::chrono::milliseconds(limit_ms);
  OwnedFd watch;
  for (;;) {
    // connect_control() treats a limit of 0 as no limit.
    const int left_ms = left_until(deadline, limit_ms);
    if (left_ms == 0) return Reached::kUnresponsive;
    socket = connect_control(dir_fd, left_ms);
    if (socket) return Reached::kYes;
    if (errno == EAGAIN) return Reached::kUnresponsive;
    if (!no_listener()) connection_failed(app);
    // The supervisor of a finished app holds the lock for some more milliseconds.
    if (!lock_is_held(dir_fd) || is_over(dir_fd)) return Reached::kUnsupervised;
    if (!watch) {
      watch = watch_directory(app, dir_fd);
      // Try again without waiting: the socket may have appeared before the watch.
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
  return Error(Code::kTemporary, "the supervisor of the app " + app.app_id + " does not answer",
               hint_at_process(dir_fd));
}

Error does_not_exit(const AppRef& app, int dir_fd, Code code) {
  return Error(code, "the app " + app.app_id + " has ended, but its supervisor does not exit",
               hint_at_process(dir_fd));
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
    // Closing a socket with unread bytes resets the connection.
    if (n < 0 && errno == ECONNRESET) return {Reply::Kind::kUnread, {}};
    if (n <= 0) return {Reply::Kind::kGone, {}};
    reply.line.append(buffer, static_cast<std::size_t>(n));
  }
  return reply;
}

Answer ask_supervisor(const AppRef& app, int dir_fd, std::string_view request, int limit_ms) {
  OwnedFd socket;
  const Reached reached = reach_supervisor(app, dir_fd, limit_ms, socket);
  if (reached == Reached::kUnsupervised) return Answer::kUnsupervised;
  if (reached == Reached::kUnresponsive) throw no_answer(app, dir_fd);
  const Reply reply = exchange(app, dir_fd, socket.get(), request, limit_ms);
  return reply.line == kAcceptedAnswer ? Answer::kAccepted : Answer::kEnded;
}

}  // namespace slipway::local
