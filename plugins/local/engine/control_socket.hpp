// The client's and the supervisor's end of `ctl.sock`, whatever the length of the directory's path.
#pragma once

#include <cstdint>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Connects to `ctl.sock` in the directory. Empty with errno set: ENOENT or ECONNREFUSED when no
/// process listens, EAGAIN when its listen queue was full for `limit_ms` (> 0).
OwnedFd connect_control(int dir_fd, int limit_ms);

/// Listens on `ctl.sock` in the directory (0600), replacing what a dead supervisor left; the name
/// appears when connecting works. The caller holds the app's lock. Empty with errno set on failure.
OwnedFd listen_control(int dir_fd);

/// The inode of `ctl.sock` in the directory; 0 when there is none.
std::uint64_t socket_inode(int dir_fd);

}  // namespace slipway::local
