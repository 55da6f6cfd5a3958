#include "sdk/check/run/stop_signals.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace slipway::check {

StopSignals::StopSignals() {
  sigset_t wanted;
  ::sigemptyset(&wanted);
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) {
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) == 0 && now.sa_handler != SIG_IGN)
      ::sigaddset(&wanted, number);
  }
  fd_ = OwnedFd(::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
  if (fd_.get() < 0)
    throw std::system_error(errno, std::generic_category(), "cannot receive signals");
  ::sigaddset(&wanted, SIGCHLD);  // blocked for sigtimedwait(), but not read from fd_
  ::sigprocmask(SIG_BLOCK, &wanted, &before_);
}

StopSignals::~StopSignals() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

int StopSignals::take() const {
  signalfd_siginfo info{};
  return ::read(fd_.get(), &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo)
                                                              : 0;
}

void StopSignals::release_in_child() const { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace slipway::check
