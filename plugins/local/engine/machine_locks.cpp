#include "plugins/local/engine/machine_locks.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "plugins/local/engine/file_io.hpp"

namespace slipway::local {
namespace {

constexpr mode_t kShared = 01777;

/// Whether `path` is a directory where everybody may make files and nobody remove those of others;
/// makes it. Else errno tells why not.
bool use_directory(const std::string& path) {
  const bool made = ::mkdir(path.c_str(), 0700) == 0;
  if (!made && errno != EEXIST) return false;
  const OwnedFd dir(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  if (!dir || ::fstat(dir.get(), &info) != 0) return false;
  // Its maker may have died between making it and opening it to others.
  if ((made || info.st_uid == ::geteuid()) && (info.st_mode & 07777) != kShared)
    return ::fchmod(dir.get(), kShared) == 0;
  if ((info.st_mode & 07777) == kShared) return true;
  return errno = EACCES, false;
}

/// Makes the file under a name of its own first: nobody may find it before everybody may open it.
bool make_file(int dir_fd, const char* name) {
  const std::string draft = '.' + std::string(name) + '.' + std::to_string(::getpid());
  ::unlinkat(dir_fd, draft.c_str(), 0);
  const OwnedFd file(
      ::openat(dir_fd, draft.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return false;
  const bool good = ::fchmod(file.get(), 0666) == 0 &&
                    (::linkat(dir_fd, draft.c_str(), dir_fd, name, 0) == 0 || errno == EEXIST);
  const int error = errno;
  ::unlinkat(dir_fd, draft.c_str(), 0);
  errno = error;
  return good;
}

/// Not with O_CREAT: the kernel may refuse that for files of others in such a directory.
OwnedFd open_existing(int dir_fd, const char* name) {
  return OwnedFd(::openat(dir_fd, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

struct flock range(short type, std::int64_t number) {
  struct flock out {};
  out.l_type = type;
  out.l_whence = SEEK_SET;
  out.l_start = number;
  out.l_len = 1;
  return out;
}

}  // namespace

std::string machine_lock_dir() {
  const char* given = std::getenv("SLIPWAY_LOCAL_LOCK_DIR");
  if (given != nullptr && *given == '/') {
    if (use_directory(given)) return given;
    throw system_error(Code::kCantCreate, "cannot use the lock directory", given, errno,
                       "it must be a directory of mode 1777");
  }
  std::string reasons;
  for (const char* path : {"/run/lock/slipway", "/tmp/slipway-locks"}) {
    if (use_directory(path)) return path;
    reasons += (reasons.empty() ? "" : ", ") + std::string(path) + ": " + std::strerror(errno);
  }
  throw Error(Code::kCantCreate, "there is no directory for this machine's locks: " + reasons,
              "it must be a directory of mode 1777, which root can make");
}

OwnedFd open_machine_lock(const std::string& lock_dir, const char* name) {
  const auto fail = [&](int error) {
    throw system_error(Code::kCantCreate, "cannot use the lock file", lock_dir + '/' + name, error);
  };
  const OwnedFd dir(::open(lock_dir.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!dir) fail(errno);
  OwnedFd file = open_existing(dir.get(), name);
  if (!file && errno == ENOENT) {
    if (!make_file(dir.get(), name)) fail(errno);
    file = open_existing(dir.get(), name);
  }
  if (!file) fail(errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) fail(errno);
  // Its maker has two names for it for a moment; more than that is somebody's trick.
  if (!S_ISREG(info.st_mode) || info.st_nlink > 2) fail(EPERM);
  return file;
}

bool lock_byte(int fd, std::int64_t number) {
  struct flock wanted = range(F_WRLCK, number);
  return ::fcntl(fd, F_OFD_SETLK, &wanted) == 0;
}

void unlock_byte(int fd, std::int64_t number) {
  struct flock wanted = range(F_UNLCK, number);
  ::fcntl(fd, F_OFD_SETLK, &wanted);
}

}  // namespace slipway::local
