// Removing a directory with all that is in it, and nothing else.
#pragma once

#include <optional>
#include <string>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// The first thing that could not be removed.
struct NotRemoved {
  std::string path;  ///< relative to the directory that remove_tree() was given
  int error = 0;     ///< errno; EXDEV: a file system is mounted there
};

/// Removes `name` in `dir_fd` and, when it is a directory, all below it. Never follows a link and
/// never enters a file system that is mounted there, not even one that is a directory of the same
/// disk. Directories that deny their owner are opened first. Goes on after a failure, and returns
/// the first; nothing when all is removed, or was not there.
std::optional<NotRemoved> remove_tree(int dir_fd, const std::string& name);

/// Opens the directory `name` for reading, unless something is mounted there (EXDEV) or it is a
/// link. Empty with errno set.
OwnedFd open_on_same_mount(int dir_fd, const char* name);

}  // namespace slipway::local
