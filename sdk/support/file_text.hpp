// Whole files. A stream reports failures of read() as an exception of its buffer, which names no
// file: a directory, a process that has ended, a network that is gone.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>

#include "slipway/owned_fd.hpp"

namespace slipway {

/// Returns the content of the file. Returns nullopt and leaves the cause in errno if it cannot be
/// opened or read to its end. [any thread]
inline std::optional<std::string> file_text(const std::string& path) {
  const OwnedFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
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
