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
    namespace fs = std::filesystem;
    std::error_code ignored;  // a destructor must not throw
    // Images are read-only, including their directories.
    for (fs::recursive_directory_iterator entry(path, ignored), end; entry != end;
         entry.increment(ignored)) {
      if (fs::is_directory(entry->symlink_status(ignored)))
        fs::permissions(entry->path(), fs::perms::owner_all, ignored);
    }
    fs::remove_all(path, ignored);
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
