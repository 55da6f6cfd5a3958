// Whether an app has a helper on this machine.
#pragma once

#include <string>
#include <vector>

#include "slipway/owned_fd.hpp"

namespace slipway::docker {

/// The claim of a helper to its app, as long as this object exists. Only one helper of a machine
/// can hold it. It is a socket and not a file, so it vanishes with the process. Not thread-safe.
class HelperClaim {
 public:
  explicit HelperClaim(const std::string& app_id);

  /// Returns whether this process holds the claim; false if another helper of this machine does.
  bool is_held() const { return static_cast<bool>(listener_); }
  /// Returns a descriptor for poll().
  int fd() const { return listener_.get(); }
  /// Accepts the connections of processes that watch this one. Call it when fd() is readable.
  /// Returns false if some may have to wait because no descriptor is left. They watch this process
  /// nevertheless, but fd() stays readable.
  bool admit_watchers();

 private:
  OwnedFd listener_;
  std::vector<OwnedFd> watchers_;  // connections of the processes that watch this one
};

/// Returns whether the app has a helper on this machine.
bool has_helper(const std::string& app_id);

/// Connects to the helper of the app. Returns a descriptor that becomes readable when the helper
/// ends; none if the app has no helper, or if the helper accepts no more connections.
OwnedFd watch_helper(const std::string& app_id);

}  // namespace slipway::docker
