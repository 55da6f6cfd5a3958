// Paths that do not depend on the working directory.
#pragma once

#include <filesystem>
#include <system_error>

#include "slipway/error.hpp"

namespace slipway {

/// Returns `path` below the working directory unless it is absolute. Does not look for the file.
/// Throws Error kNotFound for an empty path, and for a relative one if the path of the working
/// directory cannot be found: it was removed, for example. [any thread]
inline std::filesystem::path absolute_path(const std::filesystem::path& path) {
  if (path.empty()) throw Error(Code::kNotFound, "a path is empty");
  std::error_code error;
  std::filesystem::path out = std::filesystem::absolute(path, error);
  if (!error) return out;
  throw Error(
      Code::kNotFound,
      "'" + path.string() +
          "' is relative to the working directory, which cannot be used: " + error.message(),
      "change to a directory that exists, or give an absolute path");
}

/// Returns `path` without `.`, `..` and superfluous slashes; a slash at the end stays. The result
/// leads to the same file, also for a `..` after a link: resolves that link and those before it.
/// Keeps `..` after a link that cannot be resolved, and at the start of a relative path. [any
/// thread]
inline std::filesystem::path normal_path(const std::filesystem::path& path) {
  std::filesystem::path out;
  for (const std::filesystem::path& part : path) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      out /= part;
      continue;
    }
    bool is_kept = out.empty() || out.filename() == "..";
    std::error_code error;
    if (std::filesystem::is_symlink(std::filesystem::symlink_status(out, error))) {
      const std::filesystem::path real = std::filesystem::canonical(out, error);
      if (error) {
        is_kept = true;
      } else {
        out = real;
      }
    }
    out = is_kept ? out / part : out.parent_path();
  }
  return path.has_filename() ? out : out / "";
}

}  // namespace slipway
