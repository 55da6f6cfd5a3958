// Whole files, relative to a directory descriptor.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Returns an Error `<action> <path>: <text of errno_value>`. kUnavailable becomes kTemporary when
/// the system is short of something (shortage.hpp).
Error system_error(Code code, std::string_view action, std::string_view path, int errno_value,
                   std::string hint = {});

/// Opens `path`, of any length, below the directory with `flags` and O_CLOEXEC, with no symbolic
/// link on the way. Empty with errno set: ELOOP when there is one.
OwnedFd open_below(int dir_fd, const std::string& path, int flags);

/// Returns whether the effective user may execute the file `path`, or enter the directory. False
/// with errno set.
bool may_execute(int dir_fd, const char* path);

/// Writes all of `bytes` to `fd`. False with errno set when the system does not take them.
bool write_all(int fd, std::string_view bytes);

/// Creates `name` (must not exist) for its owner alone, whatever the umask. Empty with errno set.
OwnedFd create_private_file(int dir_fd, const char* name, int flags);

/// Creates `name` as create_private_file() does with `bytes`, and returns it for writing. Empty
/// with errno set; a partial file may be left then.
OwnedFd write_new_file(int dir_fd, const char* name, std::string_view bytes);

/// Opens `name` without following a symbolic link and without blocking. Empty with errno set;
/// EINVAL when it is not a regular file, as a FIFO that another process put in its place.
/// `info`, if given, gets what fstat tells of the file.
OwnedFd open_regular(int dir_fd, const char* name, int flags, struct stat* info = nullptr);

/// Reads `name` as open_regular() opens it. False with errno set; EFBIG when it is larger than
/// `limit`.
bool read_file(int dir_fd, const char* name, std::size_t limit, std::string& out,
               struct stat* info = nullptr);

}  // namespace slipway::local
