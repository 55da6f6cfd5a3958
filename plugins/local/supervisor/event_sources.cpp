#include "plugins/local/supervisor/event_sources.hpp"

#include <signal.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/file_io.hpp"

namespace slipway::local {
namespace {

constexpr int kMostEvents = 16;  // most sources of one poll(), and so of one next()

/// Returns the descriptor. Throws if the call that should make it has failed.
OwnedFd checked(int fd, const char* what) {
  if (fd < 0) throw system_error(Code::kUnavailable, "cannot make", what, errno);
  return OwnedFd(fd);
}

OwnedFd open_signals() {
  sigset_t wanted;
  ::sigemptyset(&wanted);
  // SIGCHLD only wakes the event loop, which reaps children after any signal.
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGIO}) ::sigaddset(&wanted, signal);
  return checked(::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK), "a signal descriptor");
}

}  // namespace

EventSources::EventSources()
    : epoll_(checked(::epoll_create1(EPOLL_CLOEXEC), "an epoll descriptor")),
      signals_(open_signals()),
      timer_(checked(::timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK), "a timer")) {
  add(signals_.get(), Source::kSignals);
  add(timer_.get(), Source::kAlarm);
}

void EventSources::add(int fd, Source source, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u32 = static_cast<std::uint32_t>(source);
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) {
    throw system_error(Code::kUnavailable, "cannot watch",
                       source == Source::kOwner ? "the owner" : "a descriptor", errno);
  }
}

void EventSources::remove(int fd) { ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr); }

std::vector<Source> EventSources::poll(int timeout_ms) {
  epoll_event events[kMostEvents];
  const int n = ::epoll_wait(epoll_.get(), events, kMostEvents, timeout_ms);
  std::vector<Source> ready;
  for (int i = 0; i < n; ++i) ready.push_back(static_cast<Source>(events[i].data.u32));
  return ready;
}

void EventSources::set_alarm(std::int64_t due_ns) {
  if (due_ns == alarm_ns_) return;
  alarm_ns_ = due_ns;
  itimerspec when{};
  if (due_ns != kNever) {
    // The timer counts in the time namespace of this process, boottime_ns() outside of it. Zero
    // would disarm the timer; a moment in the past expires at once.
    const std::int64_t at = std::max<std::int64_t>(due_ns + boot_clock_offset(), 1);
    when.it_value.tv_sec = at / 1'000'000'000;
    when.it_value.tv_nsec = at % 1'000'000'000;
  }
  ::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &when, nullptr);
}

void EventSources::clear_alarm() {
  std::uint64_t expirations = 0;
  if (::read(timer_.get(), &expirations, sizeof expirations) > 0) alarm_ns_ = kNever;
}

SignalEvents EventSources::read_signals() {
  SignalEvents out;
  signalfd_siginfo infos[16];
  for (ssize_t n = 0; (n = ::read(signals_.get(), infos, sizeof infos)) > 0;) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(n) / sizeof infos[0]; ++i) {
      const std::uint32_t signal = infos[i].ssi_signo;
      out.terminate = out.terminate || signal == SIGTERM || signal == SIGINT;
      out.renew_socket = out.renew_socket || signal == SIGHUP;
      out.file_removed = out.file_removed || signal == SIGIO;
    }
  }
  return out;
}

}  // namespace slipway::local
