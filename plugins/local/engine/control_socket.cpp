#include "plugins/local/engine/control_socket.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>

#include <cerrno>
#include <cstdio>

namespace slipway::local {
namespace {

/// Returns the address of a socket in the directory. It goes through /proc, because sun_path holds
/// only 108 bytes and the directory's path may be longer.
sockaddr_un address_of(int dir_fd, const char* name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", dir_fd, name);
  return address;
}

}  // namespace

OwnedFd connect_control(int dir_fd, int limit_ms) {
  OwnedFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd) return fd;
  // Limits the time that connect() waits for room in the listen queue.
  const timeval limit{limit_ms / 1000, limit_ms % 1000 * 1000};
  ::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  const sockaddr_un address = address_of(dir_fd, kSocketName);
  while (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    if (errno != EINTR) return OwnedFd();
  }
  return fd;
}

OwnedFd listen_control(int dir_fd) {
  OwnedFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return fd;
  ::unlinkat(dir_fd, kSocketDraftName, 0);
  const sockaddr_un address = address_of(dir_fd, kSocketDraftName);
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::fchmodat(dir_fd, kSocketDraftName, 0600, 0) != 0 || ::listen(fd.get(), SOMAXCONN) != 0 ||
      ::renameat(dir_fd, kSocketDraftName, dir_fd, kSocketName) != 0) {
    return OwnedFd();
  }
  return fd;
}

std::uint64_t socket_inode(int dir_fd) {
  struct stat info {};
  return ::fstatat(dir_fd, kSocketName, &info, AT_SYMLINK_NOFOLLOW) == 0 ? info.st_ino : 0;
}

}  // namespace slipway::local
