// Reads and writes whole files with system calls. Rationale: a std::ifstream reports a failed
// read() (of a directory, of a process that has ended, of a lost network) as an exception that does
// not name the file.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <string_view>

#include "slipway/owned_fd.hpp"

namespace slipway {

/// Opens a regular file, or a link to one, for reading. Otherwise returns no descriptor and leaves
/// the cause in errno: EISDIR for a directory, EINVAL for a FIFO or a device, which could block the
/// caller or have side effects, and EACCES if `owner` is given and another user owns the file.
/// [any thread]
inline OwnedFd open_regular_file(const std::string& path, std::optional<uid_t> owner = {}) {
  OwnedFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  struct stat info {};
  if (!file || ::fstat(file.get(), &info) != 0) return OwnedFd();
  const bool has_owner = !owner || *owner == info.st_uid;
  if (S_ISREG(info.st_mode) && has_owner) return file;
  file.reset();
  errno = S_ISDIR(info.st_mode) ? EISDIR : has_owner ? EINVAL : EACCES;
  return file;
}

/// Returns the content of a regular file. Returns nullopt and leaves the cause in errno if
/// open_regular_file() cannot open it or it cannot be read to its end. [any thread]
inline std::optional<std::string> file_text(const std::string& path,
                                            std::optional<uid_t> owner = {}) {
  const OwnedFd file = open_regular_file(path, owner);
  if (!file) return std::nullopt;
  std::string out;
  char part[16384];
  for (;;) {
    const ssize_t n = ::read(file.get(), part, sizeof part);
    if (n == 0) return out;
    if (n > 0) out.append(part, static_cast<std::size_t>(n));
    if (n < 0 && errno != EINTR) return std::nullopt;
  }
}

/// Writes all of `bytes` to `fd`. Returns false with errno set if a write fails. [any thread]
inline bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace slipway
