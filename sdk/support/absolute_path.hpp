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

}  // namespace slipway
