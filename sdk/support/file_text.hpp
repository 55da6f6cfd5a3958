// Whole files. A stream reports failures of read() as an exception of its buffer, which names no
// file: a directory, a process that has ended, a network that is gone.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>

#include "slipway/owned_fd.hpp"

namespace slipway {

/// Opens a regular file, or a link to one, for reading. Returns no descriptor and leaves the cause
/// in errno if it cannot: EISDIR for a directory, and EINVAL for a FIFO or a device, which would
/// block the caller or have effects. [any thread]
inline OwnedFd open_regular_file(const std::string& path) {
  OwnedFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  struct stat info {};
  if (!file || ::fstat(file.get(), &info) != 0) return OwnedFd();
  if (S_ISREG(info.st_mode)) return file;
  file.reset();
  errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
  return file;
}

/// Returns the content of a regular file. Returns nullopt and leaves the cause in errno if
/// open_regular_file() cannot open it or it cannot be read to its end. [any thread]
inline std::optional<std::string> file_text(const std::string& path) {
  const OwnedFd file = open_regular_file(path);
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

}  // namespace slipway
