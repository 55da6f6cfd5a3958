// Whole files, relative to a directory descriptor.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// `<action> <path>: <text of errno_value>` as an Error.
Error system_error(Code code, std::string_view action, std::string_view path, int errno_value,
                   std::string hint = {});

/// Opens `path`, of any length, below the directory with `flags` and O_CLOEXEC, with no symbolic link on the way. Empty with
/// errno set: ELOOP when there is one.
OwnedFd open_below(int dir_fd, const std::string& path, int flags);

/// Writes all of `bytes` to `fd`. False with errno set when the system does not take them.
bool write_all(int fd, std::string_view bytes);

/// Creates `name` (0600, must not exist) with `bytes`, and returns it for writing. Empty with errno
/// set; a partial file may be left then.
OwnedFd write_new_file(int dir_fd, const char* name, std::string_view bytes);

/// Reads `name` without following a symbolic link. False with errno set; EFBIG when it is larger
/// than `limit`.
bool read_file(int dir_fd, const char* name, std::size_t limit, std::string& out);

/// Removes `name` and, when it is a directory, all below it; never follows a link. Best effort:
/// false with errno set when something is left.
bool remove_tree(int dir_fd, const char* name);

}  // namespace slipway::local
