// Files below an open directory, and files of the kernel.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "sdk/support/file_text.hpp"
#include "sdk/support/system_error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Returns whether both describe the same file or directory.
inline bool is_same_file(const struct stat& a, const struct stat& b) {
  return a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

/// Opens `path`, of one or more parts, below the directory with `flags` and O_CLOEXEC. Follows no
/// symbolic link. Empty with errno set. If a part of `path` is a link, errno is ELOOP. Where the
/// kernel lacks openat2() or a container forbids it, it is ENOTDIR for a link before the last part,
/// and for any link if `flags` has O_DIRECTORY.
OwnedFd open_below(int dir_fd, const std::string& path, int flags);

/// Returns whether the effective user may execute the file `path` or, if it is a directory, enter
/// it. False with errno set.
bool may_execute(int dir_fd, const char* path);

/// Creates `name`, which must not exist, with mode 0600 under any umask, and opens it with `flags`
/// (O_WRONLY or O_RDWR, and others). Empty with errno set.
OwnedFd create_private_file(int dir_fd, const char* name, int flags);

/// Creates `name` as create_private_file() does, writes `bytes`, and returns the file for writing.
/// On failure returns empty with errno set, and may leave a partial file.
OwnedFd write_new_file(int dir_fd, const char* name, std::string_view bytes);

/// Opens `name` without following a symbolic link and without blocking. Empty with errno set;
/// EINVAL if it is not a regular file, such as a FIFO that another process put in its place.
/// `info`, if given, gets the result of fstat().
OwnedFd open_regular(int dir_fd, const char* name, int flags, struct stat* info = nullptr);

/// Reads `name`, opened as by open_regular(). Returns false with errno set on failure; EFBIG if the
/// file is larger than `limit`.
bool read_file(int dir_fd, const char* name, std::size_t limit, std::string& out,
               struct stat* info = nullptr);

/// Returns the content of a file of /proc or of a cgroup, whose size the kernel does not report; at
/// most about the first 16 MiB. Empty if it cannot be read.
std::string kernel_file(const std::string& path);

}  // namespace slipway::local
