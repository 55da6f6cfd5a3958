#include "sdk/support/tree_removal.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "sdk/support/directory_stream.hpp"
#include "sdk/support/resolved_open.hpp"
#include "slipway/dict.hpp"

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

/// The most descriptors that are held for the directories above the one that is being emptied. A
/// replica may have made more levels than a process may open files.
constexpr std::size_t kMostHeld = 32;

class TreeRemoval {
 public:
  std::optional<NotRemoved> remove(int dir_fd, const std::string& name) {
    if (may_be_directory(dir_fd, name.c_str())) enter(dir_fd, name);
    while (!levels_.empty()) {
      Level& level = levels_.back();
      if (level.left.empty()) {
        leave(dir_fd);
      } else {
        const std::string child = std::move(level.left.back());
        level.left.pop_back();
        enter(level.fd.get(), child);
      }
    }
    return std::move(failure_);
  }

 private:
  /// A directory that is being emptied.
  struct Level {
    std::string name;
    OwnedFd fd;  // beyond kMostHeld levels: empty while a directory below this one is emptied
    dev_t device = 0;
    ino_t inode = 0;
    StrList left;  // its directories that have not been entered
  };

  static bool unlink(int dir_fd, const char* name, int flags) {
    if (::unlinkat(dir_fd, name, flags) == 0 || errno == ENOENT) return true;
    if (errno != EACCES || !permit(dir_fd)) return false;
    return ::unlinkat(dir_fd, name, flags) == 0;
  }

  /// Removes `name`, unless it may be a directory.
  bool may_be_directory(int dir_fd, const char* name) {
    if (unlink(dir_fd, name, 0)) return false;
    // Linux reports EISDIR for a directory, and POSIX asks for EPERM.
    if (errno == EISDIR || errno == EPERM) return true;
    fail(name, errno);
    return false;
  }

  void enter(int parent_fd, const std::string& name) {
    OwnedFd fd = open_on_same_mount(parent_fd, name.c_str());
    if (!fd && errno == EACCES && permit(parent_fd, name.c_str()))
      fd = open_on_same_mount(parent_fd, name.c_str());
    if (!fd && errno == ENOENT) return;  // another process has removed it
    // The name is not a directory but a file that cannot be removed, such as an immutable one.
    if (!fd) return fail(name, errno == ENOTDIR ? EPERM : errno);
    struct stat info {};
    if (::fstat(fd.get(), &info) != 0) return fail(name, errno);
    if (levels_.size() > kMostHeld) levels_.back().fd.reset();
    levels_.push_back({name, std::move(fd), info.st_dev, info.st_ino, {}});
    path_.append(name).push_back('/');
    remove_files(levels_.back());
  }

  /// Removes the files of the directory and lists its directories.
  void remove_files(Level& level) {
    OwnedFd copy(::fcntl(level.fd.get(), F_DUPFD_CLOEXEC, 0));
    const DirectoryStream dir(copy ? ::fdopendir(copy.get()) : nullptr);
    if (!dir) return fail(".", errno);
    copy.release();
    while (const dirent* entry = ::readdir(dir.get())) {
      const std::string_view child = entry->d_name;
      if (child != "." && child != ".." && may_be_directory(level.fd.get(), entry->d_name))
        level.left.emplace_back(child);
    }
  }

  /// Removes the innermost directory, which has been emptied. `top_fd` contains the tree.
  void leave(int top_fd) {
    const Level level = std::move(levels_.back());
    levels_.pop_back();
    path_.resize(path_.size() - level.name.size() - 1);
    int parent = top_fd;
    if (!levels_.empty()) {
      Level& above = levels_.back();
      if (!above.fd) above.fd = reopened(above, level.fd.get());
      // If that fails, the directories of the levels up to one that is still open stay, because
      // they cannot be reached.
      if (!above.fd) above.left.clear();
      parent = above.fd.get();
    }
    if (parent < 0 || !unlink(parent, level.name.c_str(), AT_REMOVEDIR)) fail(level.name, errno);
  }

  /// Opens the directory `above` of `below_fd` again. Empty with errno set on failure, also if
  /// another process has moved the directory below.
  static OwnedFd reopened(const Level& above, int below_fd) {
    OwnedFd fd(::openat(below_fd, "..", kOpenDirectory));
    if (!fd && errno == EACCES && permit(below_fd))
      fd = OwnedFd(::openat(below_fd, "..", kOpenDirectory));
    struct stat info {};
    if (!fd || ::fstat(fd.get(), &info) != 0) return OwnedFd();
    if (info.st_dev == above.device && info.st_ino == above.inode) return fd;
    errno = ESTALE;
    return OwnedFd();
  }

  void fail(const std::string& name, int error) {
    if (!failure_) failure_ = NotRemoved{path_ + name, error};
  }

  std::vector<Level> levels_;  // from the top
  std::string path_;           // of the innermost directory, with a slash at the end
  std::optional<NotRemoved> failure_;
};

}  // namespace

OwnedFd open_on_same_mount(int dir_fd, const char* name) {
  OwnedFd fd = open_resolved(dir_fd, name, kOpenDirectory,
                             RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH);
  if (fd || (errno != ENOSYS && errno != EPERM)) return fd;
  // Older kernels lack this call, and some containers forbid it.
  fd = OwnedFd(::openat(dir_fd, name, kOpenDirectory));
  if (!fd) return fd;
  const long mount = mount_of(fd.get());
  const long parent = mount_of(dir_fd);
  if (mount == parent && mount >= 0) return fd;
  fd.reset();
  errno = mount < 0 || parent < 0 ? ENOSYS : EXDEV;
  return fd;
}

std::optional<NotRemoved> remove_tree(int dir_fd, const std::string& name) {
  return TreeRemoval().remove(dir_fd, name);
}

}  // namespace slipway
