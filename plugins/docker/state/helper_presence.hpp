// Whether an app has a helper on this machine.
#pragma once

#include <string>
#include <vector>

#include "slipway/owned_fd.hpp"

namespace slipway::docker {

/// The claim of a helper to its app, as long as this exists. It is no file, so it vanishes with the
/// process. Not thread safe.
class HelperClaim {
 public:
  explicit HelperClaim(const std::string& app_id);

  /// Returns whether no other helper of this machine has the app.
  bool is_held() const { return static_cast<bool>(listener_); }
  /// Returns a descriptor for poll().
  int fd() const { return listener_.get(); }
  /// Lets processes watch this one, when fd() is readable.
  void admit_watchers();

 private:
  OwnedFd listener_;
  std::vector<OwnedFd> watchers_;
};

/// Connects to the helper of the app. Returns a descriptor that becomes readable when the helper
/// ends; none if the app has no helper.
OwnedFd watch_helper(const std::string& app_id);

}  // namespace slipway::docker
