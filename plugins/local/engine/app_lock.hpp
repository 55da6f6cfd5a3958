// The lock file of an app: whoever holds it is the only one that may change the app's record.
#pragma once

#include "plugins/local/engine/owned_fd.hpp"

namespace slipway::local {

/// Opens (and with `create` makes, 0600) `lock` in the directory and takes it without waiting.
/// Empty when somebody else holds it (errno EWOULDBLOCK) or the file cannot be opened (errno says
/// why). The lock lives as long as any copy of the descriptor, in any process: that is how it
/// passes from the command to the supervisor without a gap.
OwnedFd try_lock(int dir_fd, bool create);

/// The same, but waits for the holder: only for an app that is terminal, whose supervisor is just
/// leaving.
OwnedFd wait_for_lock(int dir_fd);

/// Whether anybody holds the lock. Takes nothing, so that it never makes another try_lock fail.
/// False when there is no lock file.
///
/// Rationale: try_lock takes two locks on the same open file, a flock, which excludes, and an
/// open-file-description lock, which can be asked about without being taken.
bool lock_is_held(int dir_fd);

}  // namespace slipway::local
