// Why nothing is at a path: its file is merely missing, or the path itself is broken.
#pragma once

#include <optional>
#include <string>

namespace slipway {

/// What a path cannot pass.
struct PathObstacle {
  std::string path;    ///< the link or file
  std::string target;  ///< the text of a link whose target does not exist; empty for a file
};

/// Returns the obstacle of an absolute `path` that open() or stat() could not find (ENOENT or
/// ENOTDIR): the link whose target does not exist, or the file that stands where a directory should
/// be. Returns nothing if the nearest part that exists is a directory, so that the rest is merely
/// missing, and if the path exists or cannot be inspected. [any thread]
std::optional<PathObstacle> obstacle_of(const std::string& path);

/// Returns "the link PATH leads to TARGET, which does not exist" or "PATH is not a directory".
std::string to_string(const PathObstacle& obstacle);

/// Returns what to do about the obstacle, for the hint of an error.
std::string obstacle_hint(const PathObstacle& obstacle);

}  // namespace slipway
