// Locks on the record of an app: the lock of its one writer, and holds against pruning.
#pragma once

#include "plugins/local/engine/app_ref.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Takes the lock of the app without waiting. Only its holder may change the record. The lock is on
/// the record's directory, so that no file exists whose removal would release it. Empty with errno
/// set: EWOULDBLOCK if another process holds it. The lock lasts as long as any copy of the
/// descriptor in any process; so the command passes it to the supervisor without a gap.
OwnedFd try_lock(int dir_fd);

/// Takes the lock as try_lock() does, but waits for the holder. Only for a terminal app, whose
/// supervisor is about to exit.
OwnedFd wait_for_lock(int dir_fd);

/// Returns whether a process holds the lock. Takes no lock, so it never makes another try_lock()
/// fail.
///
/// Rationale: try_lock() takes two locks on the same open directory: a flock, which excludes other
/// processes, and an open-file-description lock, which a process can test without taking it.
bool lock_is_held(int dir_fd);

/// Keeps prune_finished() from deleting the app while the descriptor is open; delete_app() deletes
/// it all the same. Empty if the app does not exist or no descriptor is left: prune_finished() may
/// then delete the record at any time.
OwnedFd hold_record(const AppRef& app);

/// Holds the record in an open directory as hold_record() does.
OwnedFd hold_record_at(int dir_fd);

/// Returns true if no process holds the record. Then no process can hold it while `taken` is open.
bool take_record(int dir_fd, OwnedFd& taken);

}  // namespace slipway::local
