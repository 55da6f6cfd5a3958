#include "core/cli/interrupts.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include "slipway/error.hpp"

namespace slipway::cli {

Interrupts::Interrupts() {
  sigset_t wanted;
  sigemptyset(&wanted);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&wanted, signal);
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
