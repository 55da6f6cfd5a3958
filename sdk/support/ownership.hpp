// Finds files and directories that another user may have made or changed. A record contains
// programs that Slipway starts, so Slipway acts only on records that its own user wrote.
#pragma once

#include <sys/stat.h>

#include <string>

#include "slipway/own_directory.hpp"

namespace slipway {

/// Returns the current path of an open directory. Returns an empty text with errno set if /proc
/// does not show the path.
std::string directory_path(int dir_fd);

/// The reason why the caller does not use the records in a directory.
struct Distrust {
  std::string why;       ///< `/records belongs to uid 1000, …`; empty: there is no reason
  bool by_mode = false;  ///< the directory is the caller's, but its mode lets others write to it

  explicit operator bool() const { return !why.empty(); }
};

/// Returns the result of distrust() for the directory `path`, which `info` describes.
Distrust distrust_directory(const std::string& path, const struct stat& info);

/// Checks the record in `app_dir_fd` and the two directories above it (for a local app those of its
/// session and of all sessions) with distrust(). Returns the reason for the first bad directory.
Distrust distrust_record(int app_dir_fd);

/// Checks the directory `dir_fd` and each directory above it. Returns why another user may rename
/// or replace a file that is made below it ("/shared may be changed by every user: its mode is
/// 0777"); empty: no other user may. A directory is safe if it belongs to root, the caller or a
/// user whom the user namespace does not map, and is sticky like /tmp or not writable for all
/// users. The group of a directory is trusted. A directory that cannot be inspected is not safe,
/// unless it lies above one that the caller may not search.
std::string distrust_place(int dir_fd);

/// Throws kDenied for a record, or a directory of records, for which a function above returned this
/// reason.
[[noreturn]] void refuse_record(const Distrust& reason);

/// Adds the owner's permissions `wanted` (0600 or 0700), which the umask may have removed. `info`
/// describes `fd`. Returns false with errno set on failure.
bool ensure_owner_access(int fd, const struct stat& info, mode_t wanted);

}  // namespace slipway
