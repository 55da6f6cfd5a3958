#include "sdk/support/ownership.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "sdk/support/directory_maker.hpp"
#include "slipway/owned_fd.hpp"
#include "slipway/user_namespace.hpp"

namespace slipway {
namespace {

/// Returns the path of the directory `relative` to `dir_fd`, for messages.
std::string path_of(int dir_fd, const std::string& relative) {
  const OwnedFd fd(::openat(dir_fd, relative.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  const std::string path = directory_path(fd.get());
  return path.empty() ? relative : path;
}

/// Returns why other users may rename the files in a directory; empty if they may not. Trusts
/// unmapped owners: in a user namespace that does not map root, `/` and `/home` belong to one.
std::string distrust_level(const struct stat& info) {
  const bool trusted_owner = info.st_uid == 0 || info.st_uid == ::geteuid() ||
                             UserNamespace::of_process().is_unmapped(info.st_uid);
  if (!trusted_owner) return "belongs to uid " + std::to_string(info.st_uid);
  if ((info.st_mode & S_IWOTH) != 0 && (info.st_mode & S_ISVTX) == 0)
    return "may be changed by every user: its mode is " + detail::octal_mode(info.st_mode);
  return {};
}

}  // namespace

std::string directory_path(int dir_fd) {
  const std::string link = "/proc/self/fd/" + std::to_string(dir_fd);
  char path[PATH_MAX];
  const ssize_t length = ::readlink(link.c_str(), path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string();
}

Distrust distrust_directory(const std::string& path, const struct stat& info) {
  const std::string why = distrust(info);
  if (why.empty()) return {};
  const bool is_writable = (info.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  return {path + ' ' + why, info.st_uid == ::geteuid() && is_writable};
}

Distrust distrust_record(int app_dir_fd) {
  for (const char* level : {".", "..", "../.."}) {
    struct stat info {};
    // A caller that reads the record by its path may search all three levels, so a failure is
    // unexpected.
    if (::fstatat(app_dir_fd, level, &info, 0) != 0) {
      const char* const reason = std::strerror(errno);
      return {path_of(app_dir_fd, level) + " cannot be inspected: " + reason};
    }
    if (!distrust(info).empty()) return distrust_directory(path_of(app_dir_fd, level), info);
  }
  return {};
}

std::string distrust_place(int dir_fd) {
  struct stat below {};
  std::string level = ".";
  for (;;) {
    struct stat info {};
    if (::fstatat(dir_fd, level.c_str(), &info, 0) != 0) {
      // The caller may not search the level below this one, so no path through that level works
      // for it.
      if (errno == EACCES) return {};
      const char* const reason = std::strerror(errno);
      return "a directory above " + path_of(dir_fd, ".") + " cannot be inspected: " + reason;
    }
    // The root directory is its own parent.
    if (info.st_ino == below.st_ino && info.st_dev == below.st_dev) return {};
    const std::string why = distrust_level(info);
    if (!why.empty()) return path_of(dir_fd, level) + ' ' + why;
    below = info;
    level = level == "." ? ".." : level + "/..";
  }
}

void refuse_record(const Distrust& reason) {
  const bool is_root = ::geteuid() == 0;
  std::string hint = kStateHint;
  if (reason.by_mode) {
    hint = "if you trust the records, run `chmod go-w` on the directory; otherwise " + hint;
  } else if (is_root) {
    hint = "run this command as the user whose app it is";
  }
  throw Error(Code::kDenied,
              (is_root ? "root does not act on records that others can write: "
                       : "records that others can write are not used: ") +
                  reason.why,
              hint);
}

bool ensure_owner_access(int fd, const struct stat& info, mode_t wanted) {
  return (info.st_mode & wanted) == wanted || ::fchmod(fd, (info.st_mode & 07777) | wanted) == 0;
}

}  // namespace slipway
