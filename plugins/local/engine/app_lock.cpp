#include "plugins/local/engine/app_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace slipway::local {
namespace {

/// Returns an fcntl() lock of `type` (F_RDLCK or F_WRLCK) on all of a file.
struct flock whole_file(short type) {
  struct flock range {};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  return range;
}

OwnedFd open_directory(int dir_fd) {
  return OwnedFd(::openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

/// Takes both locks of an app (app_lock.hpp). `lock_flags` is LOCK_NB, or 0 to wait.
OwnedFd take_lock(int dir_fd, int lock_flags) {
  OwnedFd fd = open_directory(dir_fd);
  int result = -1;
  do {
    result = fd ? ::flock(fd.get(), LOCK_EX | lock_flags) : -1;
  } while (result != 0 && fd && errno == EINTR);
  // A directory can be open only for reading, which allows only a read lock.
  struct flock range = whole_file(F_RDLCK);
  if (result != 0 || ::fcntl(fd.get(), F_OFD_SETLK, &range) != 0) return OwnedFd();
  return fd;
}

/// Locks `spec.json`, which every record has.
OwnedFd lock_spec(int dir_fd, int kind) {
  OwnedFd spec(::openat(dir_fd, kSpecName, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (spec && ::flock(spec.get(), kind | LOCK_NB) != 0) spec.reset();
  return spec;
}

}  // namespace

OwnedFd try_lock(int dir_fd) { return take_lock(dir_fd, LOCK_NB); }

OwnedFd wait_for_lock(int dir_fd) { return take_lock(dir_fd, 0); }

bool lock_is_held(int dir_fd) {
  const OwnedFd fd = open_directory(dir_fd);
  struct flock range = whole_file(F_WRLCK);
  return fd && ::fcntl(fd.get(), F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

OwnedFd hold_record_at(int dir_fd) { return lock_spec(dir_fd, LOCK_SH); }

OwnedFd hold_record(const AppRef& app) {
  const AppDir dir = open_app_dir_to_read(app);
  return dir ? hold_record_at(dir.get()) : OwnedFd();
}

bool take_record(int dir_fd, OwnedFd& taken) {
  taken = lock_spec(dir_fd, LOCK_EX);
  return static_cast<bool>(taken);
}

}  // namespace slipway::local
