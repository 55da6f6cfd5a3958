// Locks on the record of an app: the lock of its only writer, and holds against pruning.
#pragma once

#include <chrono>

#include "plugins/local/engine/app_ref.hpp"
#include "slipway/host.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Takes the lock of the app without waiting. Only its holder may change the record. Returns an
/// empty descriptor and sets errno, to EWOULDBLOCK if another process holds the lock. The lock is
/// on the record's directory, so that no file exists whose removal would release it. It lasts while
/// any process has a copy of the descriptor, so a command can pass it to the supervisor without a
/// gap.
OwnedFd try_lock(int dir_fd);

/// Takes the lock as try_lock() does, but waits for the holder, until `limit` has passed or the
/// deadline of `call` comes; then returns an empty descriptor. Only for a finished app, whose
/// supervisor is about to exit. Throws kCancelled if the host cancels the call.
OwnedFd wait_for_lock(int dir_fd, std::chrono::milliseconds limit, const Call& call);

/// Returns whether a process holds the lock. Takes no lock, so it never makes another try_lock()
/// fail.
///
/// Rationale: try_lock() takes two locks on the same open directory: a flock, which excludes other
/// processes, and an open-file-description lock, which a process can test without taking it.
bool lock_is_held(int dir_fd);

/// Holds the record: prune_finished() keeps it while the descriptor is open; delete_app() deletes
/// it anyway. Empty if the record is missing, is being pruned or cannot be opened; prune_finished()
/// may then delete it at any time.
OwnedFd hold_record(const AppRef& app);

/// Holds the record in the open directory `dir_fd` as hold_record() does.
OwnedFd hold_record_at(int dir_fd);

/// Prevents new holds while `taken` is open. Returns false if a process holds the record, or
/// if it cannot be opened.
bool take_record(int dir_fd, OwnedFd& taken);

}  // namespace slipway::local
