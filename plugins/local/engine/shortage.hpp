// Which failures of system calls pass by themselves.
#pragma once

#include <cerrno>

namespace slipway::local {

/// Returns whether `error` says that the system is short of something at the moment: processes,
/// memory, descriptors, or room on a disk or in a quota. The same call may succeed later.
inline bool is_shortage(int error) {
  switch (error) {
    case EAGAIN:
    case ENOMEM:
    case ENOBUFS:
    case EMFILE:
    case ENFILE:
    case ENOSPC:
    case EDQUOT: return true;
    default: return false;
  }
}

}  // namespace slipway::local
