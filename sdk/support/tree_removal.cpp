#include "sdk/support/tree_removal.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "sdk/support/directory_stream.hpp"

namespace slipway {
namespace {

constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;

/// Returns the number of the mount that a descriptor is on, or -1 if /proc is not available.
long mount_of(int fd) {
  char path[48];
  std::snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
  const OwnedFd file(::open(path, O_RDONLY | O_CLOEXEC));
  char text[512];
  const ssize_t length = file ? ::read(file.get(), text, sizeof text - 1) : -1;
  if (length <= 0) return -1;
  text[length] = '\0';
  const char* const line = std::strstr(text, "mnt_id:");
  return line != nullptr ? std::strtol(line + std::strlen("mnt_id:"), nullptr, 10) : -1;
}

/// Gives the owner of a directory all permissions. Returns whether it added one.
bool permit(int dir_fd) {
  struct stat info {};
  return ::fstat(dir_fd, &info) == 0 && (info.st_mode & 0700) != 0700 &&
         ::fchmod(dir_fd, (info.st_mode & 07777) | 0700) == 0;
}

/// Does the same for a directory that cannot be opened for reading, through an O_PATH descriptor.
bool permit(int dir_fd, const char* name) {
  const OwnedFd fd(::openat(dir_fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  struct stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0 || (info.st_mode & 0700) == 0700) return false;
  char path[32];
  std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd.get());
  return ::chmod(path, (info.st_mode & 07777) | 0700) == 0;
}

class TreeRemoval {
 public:
  bool remove(int dir_fd, const char* name) {
    if (unlink(dir_fd, name, 0)) return true;
    // Linux reports EISDIR for a directory, and POSIX asks for EPERM.
    if (errno != EISDIR && errno != EPERM) return fail(name, errno);
    const int error = errno;
    OwnedFd fd = open_on_same_mount(dir_fd, name);
    if (!fd && errno == EACCES && permit(dir_fd, name)) fd = open_on_same_mount(dir_fd, name);
    // The name is not a directory but a file that cannot be removed, such as an immutable one:
    // reports the EPERM.
    if (!fd) return fail(name, errno == ENOTDIR ? error : errno);
    const bool emptied = empty(std::move(fd), name);
    if (unlink(dir_fd, name, AT_REMOVEDIR)) return true;
    return emptied ? fail(name, errno) : false;
  }

  std::optional<NotRemoved> first_failure() { return std::move(failure_); }

 private:
  static bool unlink(int dir_fd, const char* name, int flags) {
    if (::unlinkat(dir_fd, name, flags) == 0 || errno == ENOENT) return true;
    if (errno != EACCES || !permit(dir_fd)) return false;
    return ::unlinkat(dir_fd, name, flags) == 0;
  }

  bool empty(OwnedFd fd, const char* name) {
    const DirectoryStream dir(::fdopendir(fd.get()));
    if (!dir) return fail(name, errno);
    fd.release();
    bool clean = true;
    const std::size_t above = path_.size();
    path_.append(name).push_back('/');
    while (const dirent* entry = ::readdir(dir.get())) {
      const std::string_view child = entry->d_name;
      if (child != "." && child != "..") clean = remove(::dirfd(dir.get()), entry->d_name) && clean;
    }
    path_.resize(above);
    return clean;
  }

  bool fail(const char* name, int error) {
    if (!failure_) failure_ = NotRemoved{path_ + name, error};
    return false;
  }

  std::string path_;  // of the directory that is being emptied, with a slash at the end
  std::optional<NotRemoved> failure_;
};

}  // namespace

OwnedFd open_on_same_mount(int dir_fd, const char* name) {
  open_how how{};
  how.flags = static_cast<unsigned>(kOpenDirectory);
  how.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH;
  const long opened = ::syscall(SYS_openat2, dir_fd, name, &how, sizeof how);
  if (opened >= 0 || (errno != ENOSYS && errno != EPERM)) return OwnedFd(static_cast<int>(opened));
  // Older kernels lack this call, and some containers forbid it.
  OwnedFd fd(::openat(dir_fd, name, kOpenDirectory));
  if (!fd) return fd;
  const long mount = mount_of(fd.get());
  const long parent = mount_of(dir_fd);
  if (mount == parent && mount >= 0) return fd;
  fd.reset();
  errno = mount < 0 || parent < 0 ? ENOSYS : EXDEV;
  return fd;
}

std::optional<NotRemoved> remove_tree(int dir_fd, const std::string& name) {
  TreeRemoval removal;
  if (removal.remove(dir_fd, name.c_str())) return std::nullopt;
  return removal.first_failure();
}

}  // namespace slipway
