// Removes a directory with its content, without leaving it through links or mounts.
#pragma once

#include <optional>
#include <string>

#include "slipway/owned_fd.hpp"

namespace slipway {

/// The first file or directory that could not be removed.
struct NotRemoved {
  std::string path;  ///< relative to the directory that remove_tree() was given
  int error = 0;     ///< errno; EXDEV: a file system is mounted there; ENOSYS: perhaps one is
};

/// Removes `name` in the directory `dir_fd`, and everything below it if it is a directory. Never
/// follows a link, and never enters a file system that is mounted there, not even a bind mount of
/// the same disk. Gives directories the owner's permissions that they lack. Opens few files at a
/// time, however deep the tree is. Several processes may remove the same tree. Continues after a
/// failure and returns the first one; nullopt if nothing is left or nothing existed.
std::optional<NotRemoved> remove_tree(int dir_fd, const std::string& name);

/// Opens the directory `name` for reading. Returns an empty OwnedFd, with errno set, if it cannot
/// be opened or is a link, if a file system is mounted there (EXDEV), or if that cannot be
/// determined (ENOSYS: the kernel has no openat2() and /proc is not mounted).
OwnedFd open_on_same_mount(int dir_fd, const char* name);

}  // namespace slipway
