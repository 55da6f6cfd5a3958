// The ownership of apps that end with the command that started them.
#pragma once

#include "slipway/owned_fd.hpp"

namespace slipway::cli {

/// A pair of connected sockets. Schedulers watch one, and this process keeps the other until it
/// ends. Several apps may share a link; release() is for a single one.
struct OwnerLink {
  OwnedFd mine;
  OwnedFd schedulers;

  /// Throws Error kUnavailable if no descriptor is left.
  OwnerLink();

  /// Gives up the ownership of the app. Returns false if the scheduler does not confirm it within
  /// five seconds.
  bool release() const;
};

}  // namespace slipway::cli
