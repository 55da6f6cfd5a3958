// Locks that all users of this machine agree on: byte ranges of files in one directory.
//
// A lock belongs to an open file (F_OFD_SETLK): processes that inherited the descriptor hold it
// together, and the kernel releases it when the last of them has closed it or ended, however. So a
// lease outlives the death of any one of its holders, and no crash leaves one behind.
#pragma once

#include <cstdint>
#include <string>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// The directory with the lock files: SLIPWAY_LOCAL_LOCK_DIR where that is set (all that share
/// devices must then set the same), else /run/lock/slipway, and where that cannot be made or used
/// /tmp/slipway-locks. Made when missing, writable by everybody and sticky. Throws kCantCreate when
/// there is none, with each path and reason.
std::string machine_lock_dir();

/// The file whose bytes are TCP ports.
inline constexpr char kPortLocks[] = "ports";

/// Opens file `name` of that directory for locking; made (0666) when missing. A link, a file with
/// several names or something else than a file is refused: kCantCreate. What is in the file does
/// not matter, nothing is ever written. The descriptor is close-on-exec.
OwnedFd open_machine_lock(const std::string& lock_dir, const char* name);

/// Locks byte `number` for the open file `fd`, without waiting; true when it holds the lock now,
/// also when it did before. False: another open file does, or the kernel is short of locks.
bool lock_byte(int fd, std::int64_t number);
/// Gives the byte back.
void unlock_byte(int fd, std::int64_t number);

}  // namespace slipway::local
