// Keeping the record of an app while somebody still wants to read how it ended.
#pragma once

#include "plugins/local/engine/app_ref.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// While the descriptor is open, prune_finished() passes this app over (delete_app does not). Empty
/// when there is no such app or no descriptor is left: the record may then go at any time.
OwnedFd hold_record(const AppRef& app);

/// The same for the record in a directory that is open already.
OwnedFd hold_record_at(int dir_fd);

/// True when nobody holds the record; then nobody can as long as the descriptor `taken` is open.
bool take_record(int dir_fd, OwnedFd& taken);

}  // namespace slipway::local
