// Opening a path that somebody else chose.
#pragma once

#include <fcntl.h>

#include <string>

#include "slipway/owned_fd.hpp"

namespace slipway::registry {

/// Opens for reading a path that may name anything: a FIFO or a terminal neither blocks nor takes
/// the process over. Holds none, with errno set, when that fails.
inline OwnedFd open_untrusted(const std::string& path) {
  return OwnedFd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
}

}  // namespace slipway::registry
