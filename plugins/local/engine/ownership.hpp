// Which files and directories no other user could have made or changed. A record holds programs
// that Slipway starts, so Slipway acts only on records that its own user wrote.
#pragma once

#include <sys/stat.h>

#include <string>

namespace slipway::local {

/// Returns why another user may have made or changed what `info` describes, as the end of a
/// sentence that starts with its path: "belongs to uid 1000, and this command runs as uid 0". Empty
/// when only the caller (and root) can have.
///
/// Rationale: in a user namespace that does not map the caller's uid, the files of all unmapped
/// users look like the caller's own, so nothing is trusted there.
std::string distrust(const struct stat& info);

/// Checks the record in `app_dir_fd`, its session and its state root with distrust(). Returns the
/// first reason with the path of that directory in front of it, or nothing.
std::string distrust_record(int app_dir_fd);

/// Checks the directory `dir_fd` and all that it lies in. Returns why another user may rename or
/// replace what is made below it ("/shared may be changed by every user: its mode is 0777"), or
/// nothing. A level is safe when it belongs to root or the caller, and not every user may write to
/// it or it is sticky, as /tmp is. The group of a directory is trusted.
std::string distrust_place(int dir_fd);

/// Gives the owner the permissions `wanted` (0600 or 0700) where the umask took them away. `info`
/// describes `fd`. False with errno set.
bool ensure_owner_access(int fd, const struct stat& info, mode_t wanted);

}  // namespace slipway::local
