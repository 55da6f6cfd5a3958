#include "sdk/support/missing_path.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "sdk/support/absolute_path.hpp"
#include "sdk/support/resolved_open.hpp"

namespace slipway {

namespace {

/// Returns whether `path` is merely missing, by one system call: every command looks for about ten
/// files and directories that few machines have. False also means that the call cannot tell.
bool is_merely_missing(const std::string& path) {
  // With a link before the missing part, the error is ELOOP.
  return !open_resolved(AT_FDCWD, path.c_str(), O_PATH, RESOLVE_NO_SYMLINKS) && errno == ENOENT;
}

}  // namespace

std::optional<PathObstacle> obstacle_of(const std::string& path) {
  namespace fs = std::filesystem;
  if (is_merely_missing(path)) return std::nullopt;
  const fs::path whole = normal_path(path);
  for (fs::path part = whole; part.has_relative_path(); part = part.parent_path()) {
    struct stat st {};
    if (::lstat(part.c_str(), &st) != 0) {
      if (errno == ENOENT || errno == ENOTDIR) continue;
      return std::nullopt;
    }
    if (S_ISLNK(st.st_mode) && ::stat(part.c_str(), &st) != 0) {
      if (errno != ENOENT && errno != ENOTDIR) return std::nullopt;
      std::error_code gone;  // the target is then an empty text
      return PathObstacle{part.string(), fs::read_symlink(part, gone).string()};
    }
    if (S_ISDIR(st.st_mode) || part == whole) return std::nullopt;
    return PathObstacle{part.string(), {}};
  }
  return std::nullopt;
}

std::string to_string(const PathObstacle& obstacle) {
  if (obstacle.target.empty()) return obstacle.path + " is not a directory";
  return "the link " + obstacle.path + " leads to " + obstacle.target + ", which does not exist";
}

std::string obstacle_hint(const PathObstacle& obstacle) {
  if (obstacle.target.empty()) return "replace it by a directory, or remove it";
  return "mount the file system of the target, or correct or remove the link";
}

}  // namespace slipway
