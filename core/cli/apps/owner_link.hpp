// The ownership of apps that end with the command that started them.
#pragma once

#include "slipway/owned_fd.hpp"

namespace slipway::cli {

/// A pair of connected sockets. Schedulers watch one end, and this process keeps the other until it
/// ends. Several apps may share a link, but release() works only for a link of a single app,
/// because the byte that it sends reaches only one watcher.
struct OwnerLink {
  OwnedFd mine;
  OwnedFd schedulers;

  /// Throws Error kUnavailable if no descriptor is left.
  OwnerLink();

  /// Gives up the ownership of the app: sends kOwnerRelease, which the scheduler returns. Returns
  /// false if the scheduler does not do so within five seconds.
  bool release() const;
};

}  // namespace slipway::cli
