// Detects that a file has changed since its digest was computed.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>

namespace slipway::archive_image {

/// The properties of a file that change when it is written or replaced. Times are in nanoseconds.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;  ///< last change of the content
  std::int64_t changed_ns = 0;   ///< last change of the content, the name or the mode

  static FileIdentity of(const struct stat& st) {
    const auto ns = [](const timespec& t) {
      return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
    };
    return {static_cast<std::uint64_t>(st.st_dev), static_cast<std::uint64_t>(st.st_ino),
            static_cast<std::uint64_t>(st.st_size), ns(st.st_mtim), ns(st.st_ctim)};
  }
  bool operator==(const FileIdentity&) const = default;

  /// Returns the identity in a form that can be a file name.
  std::string text() const {
    return std::to_string(device) + "-" + std::to_string(inode) + "-" + std::to_string(size) + "-" +
           std::to_string(modified_ns) + "-" + std::to_string(changed_ns);
  }
};

}  // namespace slipway::archive_image
