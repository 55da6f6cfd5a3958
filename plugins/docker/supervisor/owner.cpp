#include "plugins/docker/supervisor/owner.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "slipway/scheduler.hpp"

namespace slipway::docker {

Owner::Owner(OwnedFd fd, bool has_ended) : fd_(std::move(fd)), has_ended_(has_ended) {
  struct stat info {};
  const bool is_owner =
      ::fstat(fd_.get(), &info) == 0 && (S_ISSOCK(info.st_mode) || S_ISFIFO(info.st_mode));
  if (!is_owner) fd_.reset();
}

void Owner::read(const std::function<void()>& give_up) {
  char byte = 0;
  // Several apps may have the same owner, so another helper may have read the byte meanwhile.
  ssize_t count = ::recv(fd_.get(), &byte, 1, MSG_DONTWAIT);
  if (count < 0 && errno == ENOTSOCK) count = ::read(fd_.get(), &byte, 1);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count > 0) {
    if (byte != kOwnerRelease) return;
    give_up();
    if (::send(fd_.get(), &byte, 1, MSG_NOSIGNAL) != 1) return;  // the next read() sees its end
  } else {
    has_ended_ = true;
  }
  fd_.reset();
}

}  // namespace slipway::docker
