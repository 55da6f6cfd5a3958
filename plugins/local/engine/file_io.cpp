#include "plugins/local/engine/file_io.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <utility>

#include "sdk/support/ownership.hpp"
#include "sdk/support/resolved_open.hpp"

namespace slipway::local {

OwnedFd open_below(int dir_fd, const std::string& path, int flags) {
  OwnedFd fd = open_resolved(dir_fd, path.c_str(), flags, RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH);
  if (fd || (errno != ENOSYS && errno != EPERM)) return fd;
  // Older kernels lack this call and some containers forbid it: open one part after another.
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos)
    return OwnedFd(::openat(dir_fd, path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW));
  const OwnedFd first(::openat(dir_fd, path.substr(0, slash).c_str(),
                               O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  return first ? open_below(first.get(), path.substr(slash + 1), flags) : OwnedFd();
}

bool may_execute(int dir_fd, const char* path) {
  if (::faccessat(dir_fd, path, X_OK, AT_EACCESS) == 0) return true;
  // The C library uses a system call of Linux 5.8, which older container software forbids. The old
  // call checks the real user, who is the effective one in every program of Slipway.
  return errno == EPERM && ::syscall(SYS_faccessat, dir_fd, path, X_OK) == 0;
}

OwnedFd open_regular(int dir_fd, const char* name, int flags, struct stat* info) {
  OwnedFd fd(::openat(dir_fd, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat found {};
  if (!fd || ::fstat(fd.get(), &found) != 0) return OwnedFd();
  if (!S_ISREG(found.st_mode)) return errno = EINVAL, OwnedFd();
  if (info != nullptr) *info = found;
  return fd;
}

OwnedFd create_private_file(int dir_fd, const char* name, int flags) {
  OwnedFd fd(::openat(dir_fd, name, flags | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  struct stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0 || !ensure_owner_access(fd.get(), info, 0600))
    return OwnedFd();
  return fd;
}

OwnedFd write_new_file(int dir_fd, const char* name, std::string_view bytes) {
  OwnedFd fd = create_private_file(dir_fd, name, O_WRONLY);
  return fd && write_all(fd.get(), bytes) ? std::move(fd) : OwnedFd();
}

bool read_file(int dir_fd, const char* name, std::size_t limit, std::string& out,
               struct stat* info) {
  out.clear();
  struct stat found {};
  const OwnedFd fd = open_regular(dir_fd, name, O_RDONLY, &found);
  if (!fd) return false;
  if (info != nullptr) *info = found;
  if (static_cast<std::uint64_t>(found.st_size) > limit) return errno = EFBIG, false;
  out.resize(static_cast<std::size_t>(found.st_size));
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t n = ::read(fd.get(), out.data() + done, out.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  out.resize(done);
  return true;
}

std::string kernel_file(const std::string& path) {
  constexpr std::size_t kMost = 16U << 20U;
  std::string out;
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char buffer[4096];
  while (fd && out.size() < kMost) {
    const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return {};
    if (n == 0) break;
    out.append(buffer, static_cast<std::size_t>(n));
  }
  return out;
}

}  // namespace slipway::local
