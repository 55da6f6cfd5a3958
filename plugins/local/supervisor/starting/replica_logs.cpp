#include "plugins/local/supervisor/starting/replica_logs.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "plugins/local/engine/log_rules.hpp"
#include "plugins/local/logs/truncation_mark.hpp"
#include "sdk/support/ownership.hpp"

namespace slipway::local {
namespace {

/// Opens the log file of an earlier attempt. Returns -1 with errno EINVAL if a FIFO or a device has
/// taken its place, which must not block the supervisor.
int open_again(int dir_fd, const char* path) {
  // The replica inherits it. NOLINTNEXTLINE(android-cloexec-open)
  const int fd = ::openat(dir_fd, path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  // ENXIO: a FIFO without a reader, or a socket.
  if (fd < 0) return errno = errno == ENXIO ? EINVAL : errno, fd;
  struct stat info {};
  int error = ::fstat(fd, &info) == 0 ? 0 : errno;
  if (error == 0 && !S_ISREG(info.st_mode)) error = EINVAL;
  if (error == 0 && ::fcntl(fd, F_SETFL, O_APPEND) != 0) error = errno;
  if (error == 0) return fd;
  ::close(fd);
  return errno = error, -1;
}

/// Opens `path` as descriptor `target`. Closes `target` first: as the lowest free descriptor, it is
/// the one that open() returns.
bool open_as(int target, int dir_fd, const char* path) {
  ::close(target);
  // The call makes a regular file, so a first attempt costs one system call.
  // The replica inherits it. NOLINTNEXTLINE(android-cloexec-open)
  int fd = ::openat(dir_fd, path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0644);
  if (fd < 0 && errno == EEXIST) fd = open_again(dir_fd, path);
  return fd == target;
}

/// Makes `path` unless it exists. The merger checks the type of an existing file.
bool make_if_missing(int dir_fd, const char* path) {
  return OwnedFd(::openat(dir_fd, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)) ||
         errno == EEXIST;
}

/// Makes the pipe `path` unless it exists, opens it as descriptor `target`, and returns an end for
/// this process: the contents of a pipe are lost when its last end is closed. The replica gets both
/// ends, so it can write while no supervisor lives.
OwnedFd open_pipe_as(int target, int dir_fd, const char* path) {
  if (::mkfifoat(dir_fd, path, 0600) != 0 && errno != EEXIST) return OwnedFd();
  OwnedFd ours(::openat(dir_fd, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW));
  struct stat status {};
  if (!ours || ::fstat(ours.get(), &status) != 0) return OwnedFd();
  if (!S_ISFIFO(status.st_mode)) return errno = EEXIST, OwnedFd();
  ::close(target);
  // The replica inherits it. NOLINTNEXTLINE(android-cloexec-open)
  if (::openat(dir_fd, path, O_RDWR | O_NOFOLLOW) != target) return OwnedFd();
  return ours;
}

}  // namespace

void ReplicaLogs::release() {
  if (!is_open_) return;
  ::dup2(0, 1);
  ::dup2(0, 2);
  is_open_ = false;
}

std::array<OwnedFd, 2> ReplicaLogs::take_pipes() { return std::move(pipes_); }

/// Makes and opens the directory of a role. Returns false with errno set.
bool ReplicaLogs::use_role(const std::string& role) {
  if (role_dir_ && role_ == role) return true;
  role_ = role;
  const bool made = ::mkdirat(files_.log_dir_fd(), role.c_str(), 0755) == 0;
  int error = made || errno == EEXIST ? 0 : errno;
  role_dir_.reset(
      ::openat(files_.log_dir_fd(), role.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  // If mkdir() failed, its errno is the cause. That of open() only says that there is no directory.
  if (!role_dir_ && error == 0) error = errno;
  struct stat info {};
  if (role_dir_ && (::fstat(role_dir_.get(), &info) != 0 || !distrust(info).empty())) {
    role_dir_.reset();
    error = EPERM;
  }
  errno = error;
  return static_cast<bool>(role_dir_);
}

bool ReplicaLogs::open(const LaunchGroup& group, std::int32_t replica, std::string& what) {
  if (!use_role(group.role)) {
    what = "make the log directory " + files_.plan().log_dir + '/' + group.role;
    return false;
  }
  char path[48];
  const int length = std::snprintf(path, sizeof path, "%d", replica);
  const auto name = [&](const char* file) {
    std::snprintf(path + length, sizeof path - static_cast<std::size_t>(length), "/%s", file);
    return path;
  };
  what = "create the logs in " + files_.plan().log_dir + '/' + group.role + '/' + path;
  // The app's log directory was made for this app alone, so an existing directory is that of an
  // earlier attempt.
  if (::mkdirat(role_dir_.get(), path, 0755) != 0 && errno != EEXIST) return false;
  const bool combined_is_ready =
      !files_.plan().logs.combined || make_if_missing(role_dir_.get(), name(kCombinedName.data()));
  is_open_ = true;
  is_marked_ = false;
  if (combined_is_ready && open_as(1, role_dir_.get(), name(kStdoutName.data())) &&
      open_as(2, role_dir_.get(), name(kStderrName.data()))) {
    if (!files_.plan().logs.pipes) {
      is_marked_ = files_.plan().logs.combined && files_.state().count() <= kMostMarkedReplicas &&
                   set_truncation_mark(1) && set_truncation_mark(2);
      return true;
    }
    pipes_[0] = open_pipe_as(1, role_dir_.get(), name(kStdoutPipe.data()));
    // The file system has no pipes, so the replica writes into the files.
    if (!pipes_[0] && (errno == EPERM || errno == EOPNOTSUPP)) return true;
    if (pipes_[0]) pipes_[1] = open_pipe_as(2, role_dir_.get(), name(kStderrPipe.data()));
    if (pipes_[0] && pipes_[1]) return true;
  }
  const int error = errno;
  if (error == EINVAL) {
    what = "write to the logs: " + files_.plan().log_dir + '/' + group.role + '/' + path +
           " is not a regular file";
  }
  release();
  errno = error;
  return false;
}

}  // namespace slipway::local
