#include "core/cli/interrupts.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include "slipway/error.hpp"

namespace slipway::cli {

namespace {

/// Returns whether the caller of this program wants it to ignore `signal`, as nohup does.
bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Interrupts::Interrupts() {
  sigset_t wanted;
  sigemptyset(&wanted);
  // The kernel keeps a signal that is blocked, even when it is ignored.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) sigaddset(&wanted, signal);
  }
  pthread_sigmask(SIG_BLOCK, &wanted, &before_);
  fd_ = OwnedFd(signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
  if (fd_.get() < 0) {
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    throw Error(Code::kUnavailable, "no descriptor is left for watching signals");
  }
}

Interrupts::~Interrupts() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

int Interrupts::take() {
  signalfd_siginfo info{};
  return ::read(fd_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)
             ? static_cast<int>(info.ssi_signo)
             : 0;
}

}  // namespace slipway::cli
