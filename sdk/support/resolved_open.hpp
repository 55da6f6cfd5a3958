// openat2(2), for which the C library has no function.
#pragma once

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "slipway/owned_fd.hpp"

namespace slipway {

/// Opens `path`, relative to `dir_fd`, with `flags` (O_CLOEXEC is added), as far as `resolve`
/// (RESOLVE_NO_SYMLINKS and others) allows. Returns no descriptor and sets errno on failure: ENOSYS
/// before Linux 5.6, and EPERM in containers that forbid the call. [any thread]
inline OwnedFd open_resolved(int dir_fd, const char* path, int flags, std::uint64_t resolve) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags | O_CLOEXEC);
  how.resolve = resolve;
  return OwnedFd(static_cast<int>(::syscall(SYS_openat2, dir_fd, path, &how, sizeof how)));
}

}  // namespace slipway
