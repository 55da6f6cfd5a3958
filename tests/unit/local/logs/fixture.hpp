// A directory for log files that is removed after the test.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "slipway/owned_fd.hpp"

namespace slipway::local::testing {

/// Far longer than any step takes. It ends a test that would hang and measures nothing.
inline constexpr int kPatienceMs = 20'000;

struct LogDirectory {
  LogDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "slipway_logs_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    root = name;
    fd = OwnedFd(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  LogDirectory(const LogDirectory&) = delete;
  LogDirectory& operator=(const LogDirectory&) = delete;
  ~LogDirectory() { std::filesystem::remove_all(root); }

  std::string path(std::string_view relative) const { return (root / relative).string(); }

  void make(std::string_view directory) const {
    std::filesystem::create_directories(root / directory);
  }

  /// Appends in one write, as a replica does. Makes missing directories.
  void append(std::string_view relative, std::string_view bytes) const {
    std::filesystem::create_directories((root / relative).parent_path());
    const OwnedFd file(
        ::open(path(relative).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (::write(file.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      throw std::runtime_error("append");
    }
  }

  std::string read(std::string_view relative) const {
    std::ifstream file(root / relative, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  bool exists(std::string_view relative) const { return std::filesystem::exists(root / relative); }

  std::filesystem::path root;
  OwnedFd fd;
};

inline std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

inline bool readable(int fd, int timeout_ms) {
  pollfd wanted{fd, POLLIN, 0};
  return ::poll(&wanted, 1, timeout_ms) > 0;
}

}  // namespace slipway::local::testing
