#include "plugins/local/engine/record_hold.hpp"

#include <fcntl.h>
#include <sys/file.h>

namespace slipway::local {
namespace {

/// `spec.json` never changes and is in every record, so it can carry the lock.
OwnedFd lock_spec(int dir_fd, int kind) {
  OwnedFd spec(::openat(dir_fd, "spec.json", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (spec && ::flock(spec.get(), kind | LOCK_NB) != 0) spec.reset();
  return spec;
}

}  // namespace

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
