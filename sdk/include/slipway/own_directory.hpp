// Files and directories that no other user can have written.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "slipway/error.hpp"
#include "slipway/host.hpp"
#include "slipway/owned_fd.hpp"
#include "slipway/user_namespace.hpp"

namespace slipway {
inline namespace sdk_1_0 {

namespace detail {
/// Returns the mode as four octal digits.
inline std::string octal_mode(mode_t mode) {
  char text[8];
  std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode & 07777));
  return text;
}
}  // namespace detail

/// Returns why another user may have made or changed the file or directory that `info` describes,
/// as the end of a sentence about it: "belongs to uid 1000, and this command runs as uid 0".
/// Returns an empty text if only the caller and root can have done so. Trusts files of root only if
/// the caller is root. [any thread]
///
/// Rationale: in a user namespace that does not map the caller's uid, the files of all unmapped
/// users look like the caller's own, so no file is trusted there.
inline std::string distrust(const struct stat& info) {
  const uid_t caller = ::geteuid();
  if (info.st_uid != caller) {
    return "belongs to uid " + std::to_string(info.st_uid) + ", and this command runs as uid " +
           std::to_string(caller);
  }
  if (UserNamespace::of_process().is_unmapped(caller))
    return "may belong to any user: this user namespace does not map the caller's uid "
           "(`unshare --map-current-user` maps it)";
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) == 0) return {};
  return "may be changed by other users: its mode is " + detail::octal_mode(info.st_mode);
}

/// Creates the directory `name` below host.state_dir(), with mode 0700, unless it exists, and
/// returns its path. Call it only in schedule(), because a dry run must not create files. Other
/// functions read from `host.state_dir(call) + "/" + name`, which may be missing.
///
/// The content of such a directory decides which programs run as the user, so other users must not
/// be able to change it. Throws Error kDenied if distrust() returns a reason for the directory or
/// for host.state_dir(), or the directory is a link or cannot be opened, and kCantCreate if it
/// cannot be created, also because host.state_dir() is missing. Ends the call as Host::state_dir()
/// does. [any thread]
inline std::string make_own_directory(const Host& host, const std::string& name, const Call& call) {
  const std::string root = host.state_dir(call);
  const std::string path = root + "/" + name;
  const auto fail = [&](Code code, const std::string& of, const std::string& why) {
    throw Error(code, "cannot use the directory " + of + ": " + why,
                "give the scheduler another state_dir in a configuration file");
  };
  const auto check = [&](const OwnedFd& directory, const std::string& of) {
    struct stat info {};
    if (!directory || ::fstat(directory.get(), &info) != 0)
      fail(Code::kDenied, of, std::strerror(errno));
    if (const std::string why = distrust(info); !why.empty()) fail(Code::kDenied, of, "it " + why);
  };
  constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  const OwnedFd state(::open(root.c_str(), kDirectory));  // may be a link
  if (!state && errno == ENOENT) fail(Code::kCantCreate, path, std::strerror(errno));
  check(state, root);
  if (::mkdirat(state.get(), name.c_str(), 0700) != 0 && errno != EEXIST)
    fail(Code::kCantCreate, path, std::strerror(errno));
  check(OwnedFd(::openat(state.get(), name.c_str(), kDirectory | O_NOFOLLOW)), path);
  return path;
}

}  // namespace sdk_1_0
}  // namespace slipway
