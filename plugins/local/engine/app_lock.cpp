#include "plugins/local/engine/app_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace slipway::local {
namespace {

constexpr char kLockName[] = "lock";

struct flock whole_file() {
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  return range;
}

OwnedFd take_lock(int dir_fd, int open_flags, int lock_flags) {
  OwnedFd fd(::openat(dir_fd, kLockName, O_RDWR | O_CLOEXEC | O_NOFOLLOW | open_flags, 0600));
  int result = -1;
  do {
    result = fd ? ::flock(fd.get(), LOCK_EX | lock_flags) : -1;
  } while (result != 0 && fd && errno == EINTR);
  struct flock range = whole_file();
  if (result != 0 || ::fcntl(fd.get(), F_OFD_SETLK, &range) != 0) return OwnedFd();
  return fd;
}

}  // namespace

OwnedFd try_lock(int dir_fd, bool create) {
  return take_lock(dir_fd, create ? O_CREAT : 0, LOCK_NB);
}

OwnedFd wait_for_lock(int dir_fd) { return take_lock(dir_fd, O_CREAT, 0); }

bool lock_is_held(int dir_fd) {
  OwnedFd fd(::openat(dir_fd, kLockName, O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  struct flock range = whole_file();
  return fd && ::fcntl(fd.get(), F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

}  // namespace slipway::local
