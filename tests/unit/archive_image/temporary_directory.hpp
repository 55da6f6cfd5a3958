// A temporary directory for one test.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "slipway/error.hpp"

namespace slipway::archive_image::test {

struct TemporaryDirectory {
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "slipway-images-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error(Code::kCantCreate, "mkdtemp");
    path = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    // Images are read-only, including their directories.
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path, ignored)) {
      if (entry.is_directory() && !entry.is_symlink())
        std::filesystem::permissions(entry.path(), std::filesystem::perms::owner_all, ignored);
    }
    std::filesystem::remove_all(path, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  /// Writes a file and returns its path.
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return path / name;
  }

  std::filesystem::path path;
};

/// Returns whether `body` throws an Error with this code.
template <class F>
bool throws(Code code, F&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.code() == code;
  }
  return false;
}

}  // namespace slipway::archive_image::test
