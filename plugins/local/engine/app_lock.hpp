// The lock of an app: whoever holds it is the only one that may change the app's record. It is on
// the record's directory itself, so that no file exists whose removal would free it.
#pragma once

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Takes the lock of the directory without waiting. Empty when somebody else holds it (errno
/// EWOULDBLOCK) or it cannot be opened (errno says why). The lock lives as long as any copy of the
/// descriptor, in any process: that is how it passes from the command to the supervisor without a
/// gap.
OwnedFd try_lock(int dir_fd);

/// The same, but waits for the holder: only for an app that is terminal, whose supervisor is just
/// leaving.
OwnedFd wait_for_lock(int dir_fd);

/// Whether anybody holds the lock. Takes nothing, so that it never makes another try_lock fail.
///
/// Rationale: try_lock takes two locks on the same open directory, a flock, which excludes, and an
/// open-file-description lock, which can be asked about without being taken.
bool lock_is_held(int dir_fd);

}  // namespace slipway::local
