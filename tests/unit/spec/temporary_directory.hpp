// A temporary directory for one test.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace slipway::spec::test {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "slipway-spec-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no directory for the test");
    path_ = pattern;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string path(std::string_view name) const { return path_ + '/' + std::string(name); }

  /// Writes a file and returns its path.
  std::string file(std::string_view name, std::string_view content) const {
    std::ofstream out(path(name), std::ios::binary);
    out << content;
    out.close();
    if (!out) throw std::runtime_error("cannot write " + path(name));
    return path(name);
  }

 private:
  std::string path_;
};

}  // namespace slipway::spec::test
