#include "plugins/local/engine/app_events.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/control_socket.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/journal.hpp"
#include "plugins/local/engine/supervisor_connection.hpp"

namespace slipway::local {
namespace {

/// Longest time for a connection before the subscription watches the journal instead, and longest
/// time for the first answer, which a supervisor gives at once if it has a descriptor for it.
constexpr int kConnectMs = 1000;

}  // namespace

AppEvents::AppEvents(AppRef app, OwnedFd dir, OwnedFd epoll, Changes changes)
    : app_(std::move(app)), dir_(std::move(dir)), epoll_(std::move(epoll)), changes_(changes) {}

std::optional<AppEvents> AppEvents::open(const AppRef& app, Changes changes) {
  OwnedFd dir = open_app_dir(app);
  if (!dir) return std::nullopt;
  OwnedFd socket;
  const Reached reached = reach_supervisor(app, dir.get(), kConnectMs, socket);
  if (reached == Reached::kUnsupervised) return std::nullopt;
  OwnedFd epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll) throw system_error(Code::kUnavailable, "cannot wait for", app.app_id, errno);
  AppEvents events(app, std::move(dir), std::move(epoll), changes);
  const bool watches =
      reached == Reached::kYes ? events.use_socket(std::move(socket)) : events.use_journal();
  if (!watches) return std::nullopt;
  return events;
}

/// Makes fd() report the events of `source` in place of those of the old source.
void AppEvents::watch(OwnedFd source) {
  // Closing the old source also removes it from the epoll instance.
  source_ = std::move(source);
  epoll_event event{};
  event.events = EPOLLIN;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, source_.get(), &event) != 0)
    throw system_error(Code::kUnavailable, "cannot wait for", app_.app_id, errno);
}

std::string_view AppEvents::request() const {
  return changes_ == Changes::kState ? kWatchStateRequest : kWatchRequest;
}

/// Returns false if the supervisor has closed the connection.
bool AppEvents::use_socket(OwnedFd socket) {
  if (!send_request(socket.get(), request())) return false;
  watch(std::move(socket));
  by_socket_ = true;
  limit_first_answer();
  return true;
}

/// Starts the timer after which drain() stops waiting for the first answer.
void AppEvents::limit_first_answer() {
  limit_.reset(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  const itimerspec once{{0, 0}, {kConnectMs / 1000, kConnectMs % 1000 * 1'000'000}};
  epoll_event event{};
  event.events = EPOLLIN;
  if (!limit_ || ::timerfd_settime(limit_.get(), 0, &once, nullptr) != 0 ||
      ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, limit_.get(), &event) != 0)
    throw system_error(Code::kUnavailable, "cannot wait for", app_.app_id, errno);
}

/// Returns false if no process supervises the app any more.
bool AppEvents::use_journal() {
  OwnedFd journal(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  const std::string path = "/proc/self/fd/" + std::to_string(dir_.get()) + '/' + kEventsName;
  constexpr std::uint32_t kMask = IN_MODIFY | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF;
  if (!journal || ::inotify_add_watch(journal.get(), path.c_str(), kMask) < 0) {
    if (errno != ENOSPC && errno != EMFILE && errno != ENFILE)
      throw system_error(Code::kUnavailable, "cannot watch the journal of", app_.app_id, errno);
    throw system_error(Code::kTemporary, "too many commands wait for the app", app_.app_id, errno,
                       "try again when some of them have ended");
  }
  watch(std::move(journal));
  by_socket_ = false;
  limit_.reset();
  // If the supervisor ended before the watch began, no event reports its end.
  return lock_is_held(dir_.get());
}

bool AppEvents::drain() { return by_socket_ ? drain_socket() : drain_journal(); }

bool AppEvents::drain_socket() {
  bool notified = false;
  bool busy = false;
  char buffer[256];
  for (;;) {
    const ssize_t n = ::recv(source_.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (n > 0) {
      notified = true;
      const std::string_view text(buffer, static_cast<std::size_t>(n));
      busy = busy || text.find(kBusyAnswer) != std::string_view::npos;
    } else if (n == 0) {
      return busy && use_journal();
    } else if (errno != EINTR) {
      if (errno != EAGAIN) return false;
      break;
    }
  }
  pollfd late{limit_.get(), POLLIN, 0};
  if (busy || (!notified && limit_ && ::poll(&late, 1, 0) > 0)) return use_journal();
  if (notified) limit_.reset();
  return !notified || send_request(source_.get(), request());
}

bool AppEvents::drain_journal() {
  alignas(inotify_event) std::array<char, 4096> events;
  bool ended = false;
  for (;;) {
    const ssize_t n = ::read(source_.get(), events.data(), events.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    for (ssize_t at = 0; at < n;) {
      const auto* const event = reinterpret_cast<const inotify_event*>(events.data() + at);
      ended = ended || (event->mask & ~std::uint32_t{IN_MODIFY}) != 0;
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    }
  }
  return !ended;
}

}  // namespace slipway::local
