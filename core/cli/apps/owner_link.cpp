#include "core/cli/apps/owner_link.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

#include "slipway/error.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::cli {

OwnerLink::OwnerLink() {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    throw Error(Code::kUnavailable, "no descriptor is left for owning the app",
                "raise the limit of open files (ulimit -n)");
  }
  mine = OwnedFd(pair[0]);
  schedulers = OwnedFd(pair[1]);
}

bool OwnerLink::release() const {
  constexpr int kReleasePatienceMs = 5000;
  char answer = kOwnerRelease;
  if (::send(mine.get(), &answer, 1, MSG_NOSIGNAL) != 1) return false;
  pollfd ready{mine.get(), POLLIN, 0};
  while (::poll(&ready, 1, kReleasePatienceMs) < 0 && errno == EINTR) {
  }
  return ::recv(mine.get(), &answer, 1, MSG_DONTWAIT) == 1 && answer == kOwnerRelease;
}

}  // namespace slipway::cli
