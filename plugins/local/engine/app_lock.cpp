#include "plugins/local/engine/app_lock.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>

#include <cerrno>

#include "sdk/support/time_left.hpp"

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

/// Locks `spec.json`, which every record has. A link or FIFO in its place must not be followed or
/// block.
OwnedFd lock_spec(int dir_fd, int kind) {
  OwnedFd spec(::openat(dir_fd, kSpecName, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (spec && ::flock(spec.get(), kind | LOCK_NB) != 0) spec.reset();
  return spec;
}

}  // namespace

OwnedFd try_lock(int dir_fd) {
  OwnedFd fd = open_directory(dir_fd);
  int result = -1;
  do {
    result = fd ? ::flock(fd.get(), LOCK_EX | LOCK_NB) : -1;
  } while (result != 0 && fd && errno == EINTR);
  // A directory can be open only for reading, which allows only a read lock.
  struct flock range = whole_file(F_RDLCK);
  if (result != 0 || ::fcntl(fd.get(), F_OFD_SETLK, &range) != 0) return OwnedFd();
  return fd;
}

OwnedFd wait_for_lock(int dir_fd, std::chrono::milliseconds limit, const Call& call) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kPause{10};
  const Clock::time_point end = Clock::now() + limit;
  for (;;) {
    OwnedFd lock = try_lock(dir_fd);
    if (lock || errno != EWOULDBLOCK || Clock::now() >= end) return lock;
    const auto pause = time_left(call, kPause);
    if (pause.count() == 0) return lock;
    // Polls, because a blocking flock() cannot be cancelled and no event reports the release of a
    // lock.
    pollfd cancelled{call.cancel_fd(), POLLIN, 0};
    ::poll(&cancelled, 1, static_cast<int>(pause.count()));
    call.check();
  }
}

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
